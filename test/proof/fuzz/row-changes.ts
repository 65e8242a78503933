import type pg from 'pg';

// Files are processed in the background, webhooks delivered, leases expire, and usage is totalled.
const background = [
  'quota_leases',
  'file_removals',
  'schema_usage',
  'document_usage',
  'usage_totals',
  'webhook_notices',
  '_prisma_migrations',
];
const backgroundColumns: Record<string, string[]> = {
  assistant_files: [
    ...[
      'status',
      'stage',
      'error_code',
      'error_message',
      'derivations',
      'pages',
      'passages',
      'mime_type',
    ],
    ...['characters', 'indexed_passages', 'reserved_passages', 'replaces_id', 'replaces_name'],
    ...['lease_holder', 'lease_until', 'attempts', 'next_attempt_at', 'updated_at'],
  ],
  webhook_endpoints: ['cursor', 'next_transaction', 'failing_since', 'paused_until', 'updated_at'],
  api_keys: ['last_used_at'],
  organizations: ['last_file_turn_at', 'last_run_turn_at'],
  usage_entries: ['is_counted'],
};

/** The entries of the audit log that the background writes. */
const backgroundActions = [
  ...['complete-file', 'fail-file', 'announce-key-expiry', 'announce-redemption-end'],
  'end-redemption',
];

export type RowChanges = {
  /** The tables with a row that was changed, and committed, since the last call. */
  takeChangedTables(): Promise<string[]>;
};

/**
 * Watches a database with triggers. A change that is rolled back leaves nothing, and the cost does
 * not depend on the number of rows.
 */
export async function watchRows(client: pg.Client): Promise<RowChanges> {
  await client.query(`
    create schema proof;
    create table proof.changes (table_name text, before jsonb, after jsonb);
    create function proof.record_change() returns trigger language plpgsql security definer as $$
      declare
        before jsonb := to_jsonb(old) - tg_argv;
        after jsonb := to_jsonb(new) - tg_argv;
      begin
        if tg_table_name = 'audit_entries' and after ->> 'action' = any('{${backgroundActions.join()}}') then
          return null;
        end if;
        -- Only a test makes a delivery in its request; all others are made, and tried, afterwards.
        if tg_table_name = 'webhook_deliveries'
          and (tg_op <> 'INSERT' or after ->> 'event_type' <> 'WEBHOOK_TEST') then
          return null;
        end if;
        -- A replay is only begun in its request.
        if tg_table_name = 'webhook_replays' and tg_op <> 'INSERT' then
          return null;
        end if;
        if before is distinct from after then
          insert into proof.changes values (tg_table_name, before, after);
        end if;
        return null;
      end $$`);
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)`,
    [background],
  );
  for (const { name } of rows) {
    const ignored = (backgroundColumns[name] ?? []).map((column) => `'${column}'`);
    await client.query(
      `create trigger proof after insert or update or delete on "${name}"
       for each row execute function proof.record_change(${ignored})`,
    );
  }
  return {
    async takeChangedTables() {
      // Rows of deltas are folded into one at times. Only a changed sum is a change, and the
      // passages are those of the file processor.
      const changed = await client.query<{ name: string }>(`
        with taken as (delete from proof.changes returning *),
        deltas as (
          select table_name, after as delta, 1 as sign from taken where table_name like '%\\_deltas' and after is not null
          union all
          select table_name, before, -1 from taken where table_name like '%\\_deltas' and before is not null)
        select distinct table_name as name from taken where table_name not like '%\\_deltas'
        union
        select table_name from deltas where coalesce(delta ->> 'counter', '') not ilike '%passage%'
        group by table_name, delta - '{id,delta,redemptions,amount_eur}'::text[]
        having sum(sign * (delta ->> 'delta')::numeric) <> 0
          or sum(sign * (delta ->> 'redemptions')::numeric) <> 0
          or sum(sign * (delta ->> 'amount_eur')::numeric) <> 0`);
      return changed.rows.map(({ name }) => name);
    },
  };
}
