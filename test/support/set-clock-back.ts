import type { Database } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';

/**
 * Makes every stored time later. For the database and all processes that is the same as if their
 * clocks had been set back.
 */
export async function setClockBack(database: Database, ms: number): Promise<void> {
  const columns = await database.sql<{ table: string; names: string[] }>`
    select c.table_name as table, array_agg(c.column_name::text) as names
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like '\\_prisma%'
      and c.data_type = 'timestamp with time zone'
    group by c.table_name`;
  const statements = columns.map(({ table, names }) => {
    const changes = names.map((name) => `"${name}" = "${name}" + interval '${ms} milliseconds'`);
    return `update "${table}" set ${changes.join(', ')}`;
  });
  await inTransaction(database, async (tx) => {
    // Without the triggers that keep totals and refuse changes of the audit log.
    await tx.sql`set local session_replication_role = replica`;
    for (const statement of statements) await runText(tx, statement);
  });
}

const runText = ({ sql }: Pick<Database, 'sql'>, text: string) =>
  sql(Object.assign([text], { raw: [text] }));
