import type { ClientBase } from 'pg';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import { features as allFeatures } from '../../../src/modules/organizations/features.ts';
import type { Migration } from '../../../src/platform/database/migration.ts';
import { applyAll } from '../../../src/platform/database/migrations.ts';
import { openServer } from '../../../src/platform/database/open-database.ts';
import { quietLog } from '../../support/quiet-log.ts';

const memberCount = 40;

/** The keys of the earlier database, and the objects that must be readable after the upgrade. */
export type EarlierData = {
  organizationKey: string;
  userKey: string;
  memberCount: number;
  assistants: string[];
  campaigns: string[];
};

type DatabaseSettings = { DATA_DIR: string; DATABASE_URL?: string };

/**
 * Creates a database as a release with these migrations left it. The rows are written with SQL,
 * without code of the current version.
 */
export async function createEarlierDatabase(
  { DATA_DIR, DATABASE_URL }: DatabaseSettings,
  migrations: Migration[],
): Promise<EarlierData> {
  const server = await openServer({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, log: quietLog });
  try {
    await applyAll(server, migrations, quietLog);
    const pool = server.openPool(1);
    const connection = await pool.connect();
    try {
      return await fill(connection);
    } finally {
      connection.release();
      await pool.end();
    }
  } finally {
    await server.close();
  }
}

async function fill(connection: ClientBase): Promise<EarlierData> {
  const { rows } = await connection.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const hasTable = (table: string) => rows.some(({ name }) => name === table);
  const [organizationKey, userKey] = [generateKey('ORGANIZATION'), generateKey('USER')];
  await connection.query('begin');
  await connection.query(
    "insert into organizations (id, slug, name, features) values ('o', 'earlier', 'Earlier', $1)",
    [allFeatures],
  );
  await connection.query(
    "insert into teams (id, organization_id, name, name_key, is_default) values ('t', 'o', 'Everybody', 'everybody', true)",
  );
  await connection.query(
    `insert into users (id, email, first_name, created_at) select 'u' || n, 'person' || n || '@earlier.example', 'Person', timestamptz '2026-01-01' + n * interval '1 day'
     from generate_series(1, $1::int) n`,
    [memberCount],
  );
  await connection.query(
    `insert into memberships (organization_id, user_id, role, user_created_at)
     select 'o', id, (case when id = 'u1' then 'ADMIN' else 'MEMBER' end)::role, created_at from users`,
  );
  await connection.query(
    "insert into team_memberships (team_id, user_id, organization_id) select 't', id, 'o' from users",
  );
  const key =
    "insert into api_keys (id, kind, organization_id, user_id, name, hash, prefix, last_four) values ($1, $2, 'o', $3, 'earlier', $4, $5, $6)";
  await connection.query(key, [
    'k1',
    'ORGANIZATION',
    null,
    organizationKey.hash,
    organizationKey.prefix,
    organizationKey.lastFour,
  ]);
  await connection.query(key, ['k2', 'USER', 'u1', userKey.hash, userKey.prefix, userKey.lastFour]);
  const data: EarlierData = {
    organizationKey: organizationKey.key,
    userKey: userKey.key,
    memberCount,
    assistants: [],
    campaigns: [],
  };
  if (hasTable('campaigns')) {
    await connection.query(
      "insert into campaigns (id, organization_id, name, duration_months) values ('c', 'o', 'Spring', 3)",
    );
    await connection.query(
      "insert into links (id, campaign_id, organization_id, name, token) values ('l', 'c', 'o', 'First', $1)",
      ['a'.repeat(32)],
    );
    data.campaigns.push('c');
  }
  if (hasTable('assistants')) {
    await connection.query(
      "insert into assistants (id, organization_id, name) values ('a', 'o', 'Handbook')",
    );
    await connection.query(
      "insert into assistant_shares (id, assistant_id, organization_id, user_id, level) values ('s', 'a', 'o', 'u1', 'OWNER')",
    );
    data.assistants.push('a');
  }
  await connection.query('commit');
  return data;
}
