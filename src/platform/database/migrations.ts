import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ClientBase } from 'pg';
import type { DatabaseLog } from './database-log.ts';
import { requireUtf8 } from './encoding.ts';
import type { Migration } from './migration.ts';
import type { DatabaseServer } from './pooled-client.ts';

export const migrationsDirectory = fileURLToPath(
  new URL('../../../prisma/migrations/', import.meta.url),
);

export async function readMigrations(
  directory: string = migrationsDirectory,
): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const script = await readFile(`${directory}/${name}/migration.sql`, 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

// The advisory lock of Prisma's command line, so that the two exclude each other.
const PRISMA_LOCK = 72707369;

/**
 * Applies the missing migrations and returns their names. One process applies them; the others wait
 * and then find nothing to do.
 */
export async function bringUpToDate(
  server: DatabaseServer,
  log: DatabaseLog,
  directory?: string,
): Promise<string[]> {
  await server.requireSession();
  return applyAll(server, await readMigrations(directory), log);
}

export async function applyAll(
  server: DatabaseServer,
  migrations: Migration[],
  log: DatabaseLog,
): Promise<string[]> {
  const pool = server.openPool(1);
  const connection = await pool.connect();
  // The statement in progress rejects by itself.
  connection.on('error', () => {});
  try {
    if (!(await hasMigrations(connection))) await requireUtf8(connection);
    if (!(await isBehind(connection, migrations, log))) return [];
    // Held until the connection closes.
    await connection.query('select pg_advisory_lock($1)', [PRISMA_LOCK]);
    if (!(await isBehind(connection, migrations, log))) return [];
    log.info({}, 'migrating the database');
    const { applyMigrations } = await import('./apply-migrations.ts');
    const applied = await applyMigrations(connection, migrations);
    log.info({ applied }, 'migrated the database');
    return applied;
  } finally {
    connection.release();
    await pool.end();
  }
}

async function hasMigrations(connection: ClientBase): Promise<boolean> {
  const { rows } = await connection.query<{ exists: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as exists",
  );
  return rows[0]?.exists ?? false;
}

type AppliedMigration = { name: string; checksum: string; finished: boolean };

async function isBehind(
  connection: ClientBase,
  migrations: Migration[],
  log: DatabaseLog,
): Promise<boolean> {
  if (!(await hasMigrations(connection))) return true;
  const { rows } = await connection.query<AppliedMigration>(
    'select migration_name as name, checksum, finished_at is not null as finished from _prisma_migrations where rolled_back_at is null',
  );
  if (rows.some((row) => !row.finished)) return true;
  const checksums = new Map(rows.map((row) => [row.name, row.checksum]));
  const edited = migrations.filter(
    ({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum,
  );
  if (edited.length > 0) {
    log.warn(
      { migrations: edited.map(({ name }) => name) },
      'migrations were edited after they were applied to this database; they are not applied again',
    );
  }
  return migrations.some(({ name }) => !checksums.has(name));
}
