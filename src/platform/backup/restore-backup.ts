import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClientBase } from 'pg';
import type { DatabaseLog } from '../database/database-log.ts';
import { applyAll, readMigrations } from '../database/migrations.ts';
import type { DatabaseServer } from '../database/pooled-client.ts';
import { createDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/stored-object.ts';
import { type BackupManifest, filesPath, readManifest, secretPath, tablePath } from './backup.ts';
import { requireCheckSums } from './check-sums.ts';
import { quoteIdentifier, readTables } from './tables.ts';

type RestoreDependencies = {
  /** Called only after the check sums of the backup have been verified. */
  openServer: () => Promise<DatabaseServer>;
  openStorage: (server: DatabaseServer) => Promise<Storage>;
  log: DatabaseLog;
  authSecretFile: string | undefined;
};

const batchCharacters = 4 * 1024 * 1024;

/**
 * Restores a backup into an empty database and an empty storage of any kind, then applies the newer
 * migrations. All rows are inserted last, in one transaction: until it commits the target counts as
 * empty, so an interrupted restore can be started again.
 */
export async function restoreBackup(
  directory: string,
  { openServer, openStorage, log, authSecretFile }: RestoreDependencies,
): Promise<BackupManifest> {
  await requireCheckSums(directory);
  const manifest = await readManifest(directory);
  const known = await readMigrations();
  const unknown = manifest.migrations.filter(
    (name) => !known.some((migration) => migration.name === name),
  );
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer Atrium (${manifest.atrium}): this one does not know the migration ${unknown[0]}`,
    );
  await requireSameSecret(directory, authSecretFile);
  const server = await openServer();
  try {
    await requireEmptyDatabase(server, manifest);
    const storage = await openStorage(server);
    try {
      await restoreFiles(directory, storage);
    } finally {
      storage.close();
    }
    await restoreSecret(directory, authSecretFile);
    await applyAll(
      server,
      known.filter(({ name }) => manifest.migrations.includes(name)),
      log,
    );
    await restoreRows(directory, server, manifest);
    await applyAll(server, known, log);
    return manifest;
  } finally {
    await server.close();
  }
}

async function requireEmptyDatabase(
  server: DatabaseServer,
  { migrations }: BackupManifest,
): Promise<void> {
  const pool = server.openPool(1);
  const connection = await pool.connect();
  try {
    for (const { name } of await readTables(connection)) {
      const { rows } = await connection.query(`select from ${quoteIdentifier(name)} limit 1`);
      if (rows.length > 0)
        throw new Error(
          `The database is not empty: ${name} has rows. A backup is restored to an empty one; nothing was changed.`,
        );
    }
    const { rows: tables } = await connection.query(
      "select from pg_tables where schemaname = 'public' and tablename = '_prisma_migrations'",
    );
    if (tables.length === 0) return;
    const { rows: applied } = await connection.query<{ name: string }>(
      'select migration_name as name from _prisma_migrations',
    );
    const newerMigration = applied.find(({ name }) => !migrations.includes(name));
    if (newerMigration)
      throw new Error(
        `The database has tables of a later version than the backup (${newerMigration.name}). Give it a new database; nothing was changed.`,
      );
  } finally {
    connection.release();
    await pool.end();
  }
}

async function restoreFiles(directory: string, storage: Storage): Promise<void> {
  const copies = createDiskStorage({ directory: filesPath(directory), isSoleUser: true });
  const keys = new Set<string>();
  for await (const { key } of copies.list()) keys.add(key);
  for await (const { key } of storage.list()) {
    if (!keys.has(key))
      throw new Error(
        `The storage is not empty: it holds ${key}, which is not of this backup; nothing was changed.`,
      );
  }
  for (const key of keys) await storage.put(key, await copies.get(key));
}

async function restoreRows(
  directory: string,
  server: DatabaseServer,
  { tables }: BackupManifest,
): Promise<void> {
  const pool = server.openPool(1);
  const connection = await pool.connect();
  try {
    const columnsByTable = new Map(
      (await readTables(connection)).map(({ name, columns }) => [name, columns]),
    );
    await connection.query('begin');
    // User triggers are disabled: the restored rows already contain what the triggers maintained
    // when the rows were first written.
    for (const name of columnsByTable.keys())
      await connection.query(`alter table ${quoteIdentifier(name)} disable trigger user`);
    for (const { name, columns, rows } of tables) {
      const missing = columns.find((column) => !columnsByTable.get(name)?.includes(column));
      if (missing !== undefined)
        throw new Error(`The backup has ${name}.${missing}, for which the database has no place`);
      await fillTable(tablePath(directory, name), { name, columns }, connection);
      const { rows: counts } = await connection.query<{ rows: string }>(
        `select count(*) as rows from ${quoteIdentifier(name)}`,
      );
      if (Number(counts[0]?.rows) !== rows)
        throw new Error(`${name} should have ${rows} rows and has ${counts[0]?.rows}`);
    }
    await setSequences(connection);
    // Backups of before the event feed have no such function yet.
    await connection.query(
      "do $$ begin if to_regprocedure('after_restore()') is not null then perform after_restore(); end if; end $$",
    );
    for (const name of columnsByTable.keys())
      await connection.query(`alter table ${quoteIdentifier(name)} enable trigger user`);
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
    await pool.end();
  }
}

async function fillTable(
  path: string,
  { name, columns }: { name: string; columns: string[] },
  connection: ClientBase,
): Promise<void> {
  const list = columns.map(quoteIdentifier).join(', ');
  let batch: string[] = [];
  let characters = 0;
  const insert = async () => {
    if (batch.length > 0) {
      const rows = `[${batch.join(',')}]`;
      await connection.query(
        `insert into ${quoteIdentifier(name)} (${list}) select ${list} from jsonb_populate_recordset(null::${quoteIdentifier(name)}, $1::jsonb)`,
        [rows],
      );
    }
    batch = [];
    characters = 0;
  };
  for await (const line of readLines(path)) {
    batch.push(line);
    characters += line.length;
    if (characters >= batchCharacters) await insert();
  }
  await insert();
}

// JSON leaves U+2028 unescaped, and readline would split a line there.
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Restored rows keep their ids, so each sequence must continue after the highest one. */
async function setSequences(connection: ClientBase): Promise<void> {
  const { rows } = await connection.query<{ sequence: string; table: string; column: string }>(
    `select s.relname as sequence, t.relname as table, a.attname as column
     from pg_class s
     join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  for (const { sequence, table, column } of rows) {
    await connection.query(
      `select setval($1::regclass, coalesce(max(${quoteIdentifier(column)}), 1), max(${quoteIdentifier(column)}) is not null) from ${quoteIdentifier(table)}`,
      [quoteIdentifier(sequence)],
    );
  }
}

async function requireSameSecret(directory: string, file: string | undefined): Promise<void> {
  if (file === undefined || !existsSync(file) || !existsSync(secretPath(directory))) return;
  if ((await readFile(file, 'utf8')) === (await readFile(secretPath(directory), 'utf8'))) return;
  throw new Error(
    `${file} is there already and another than that of the backup. Move it away to restore; nothing was changed.`,
  );
}

async function restoreSecret(directory: string, file: string | undefined): Promise<void> {
  if (file === undefined || existsSync(file) || !existsSync(secretPath(directory))) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await readFile(secretPath(directory)), {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
}
