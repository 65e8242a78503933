import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import type { DatabaseServer } from '../database/pooled-client.ts';
import { makeDirectory } from '../make-directory.ts';
import { withDeletionLock } from '../storage/deletion-lock.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { type Storage, StoredObjectMissing } from '../storage/stored-object.ts';
import { type BackupManifest, filesPath, manifestPath, secretPath, tablePath } from './backup.ts';
import { writeCheckSums } from './check-sums.ts';
import { quoteIdentifier, readTables } from './tables.ts';

type BackupDependencies = {
  server: DatabaseServer;
  storage: Pick<Storage, 'list' | 'get'>;
  version: string;
  authSecretFile: string | undefined;
};

const rowsPerFetch = 500;

/**
 * Writes a backup to a new directory. The directory is renamed into place at the end, so it is
 * either complete or absent.
 */
export async function writeBackup(
  directory: string,
  { server, storage, version, authSecretFile }: BackupDependencies,
): Promise<BackupManifest> {
  if (existsSync(directory))
    throw new Error(`${directory} is there already; a backup is written to a directory of its own`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  makeDirectory(dirname(tablePath(unfinished, '')));
  const pool = server.openPool(1);
  const connection = await pool.connect();
  try {
    const manifest = await withDeletionLock(connection, async (): Promise<BackupManifest> => {
      const rows = await writeRows(unfinished, connection);
      const files = await copyFiles(unfinished, storage);
      return {
        format: 1,
        atrium: version,
        madeAt: new Date().toISOString(),
        database: server.kind,
        ...rows,
        files,
      };
    });
    await writeFile(manifestPath(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
    });
    if (authSecretFile !== undefined && existsSync(authSecretFile))
      await writeFile(secretPath(unfinished), await readFile(authSecretFile), { mode: 0o600 });
    await writeCheckSums(unfinished);
    await rename(unfinished, directory);
    return manifest;
  } catch (error) {
    // A backup that filled its disk would leave no space for the next one.
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    connection.release();
    await pool.end();
  }
}

/** Writes one consistent snapshot of all tables; other transactions continue to write meanwhile. */
async function writeRows(
  directory: string,
  connection: ClientBase,
): Promise<Pick<BackupManifest, 'migrations' | 'tables'>> {
  await connection.query('begin isolation level repeatable read read only');
  try {
    await requireTables(connection);
    const { rows: applied } = await connection.query<{ name: string }>(
      'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by migration_name',
    );
    const tables: BackupManifest['tables'] = [];
    for (const { name, columns } of await readTables(connection)) {
      tables.push({
        name,
        columns,
        rows: await writeTable(tablePath(directory, name), name, connection),
      });
    }
    return { migrations: applied.map(({ name }) => name), tables };
  } finally {
    await connection.query('rollback');
  }
}

async function requireTables(connection: ClientBase): Promise<void> {
  const { rows } = await connection.query(
    "select from pg_tables where schemaname = 'public' and tablename = '_prisma_migrations'",
  );
  if (rows.length === 0)
    throw new Error(
      'There is nothing to back up: the database has no tables of Atrium. Check DATABASE_URL and DATA_DIR.',
    );
}

async function writeTable(path: string, table: string, connection: ClientBase): Promise<number> {
  let rows = 0;
  async function* lines() {
    // `jsonb` text never contains a line break, so each row is exactly one line.
    await connection.query(
      `declare every_row no scroll cursor for select to_jsonb(t)::text as line from ${quoteIdentifier(table)} t`,
    );
    for (;;) {
      const { rows: batch } = await connection.query<{ line: string }>(
        `fetch ${rowsPerFetch} from every_row`,
      );
      if (batch.length === 0) break;
      rows += batch.length;
      yield batch.map(({ line }) => `${line}\n`).join('');
    }
    await connection.query('close every_row');
  }
  await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return rows;
}

async function copyFiles(
  directory: string,
  storage: BackupDependencies['storage'],
): Promise<number> {
  const copies = createDiskStorage({ directory: filesPath(directory), isSoleUser: true });
  let files = 0;
  for await (const { key } of storage.list()) {
    try {
      await copies.put(key, await storage.get(key));
      files += 1;
    } catch (error) {
      // The object of a rejected upload, deleted after it was listed. No row refers to it.
      if (!(error instanceof StoredObjectMissing)) throw error;
    }
  }
  await rm(`${filesPath(directory)}/incoming`, { recursive: true, force: true });
  return files;
}
