import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import type { Server } from '../database/pooled-client.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { whileHeld } from '../storage/hold.ts';
import { NotStored, type Storage } from '../storage/storage.ts';
import { filesPath, type Manifest, manifestPath, secretPath, tablePath } from './backup.ts';
import { writeCheckSums } from './check-sums.ts';
import { quoted, readTables } from './tables.ts';

type Parts = {
  server: Server;
  storage: Pick<Storage, 'list' | 'get'>;
  version: string;
  authSecretFile: string | undefined;
};

const rowsAtOnce = 500;

/** Writes a backup to a directory of this name, which is there whole or not at all. */
export async function writeBackup(
  directory: string,
  { server, storage, version, authSecretFile }: Parts,
): Promise<Manifest> {
  if (existsSync(directory))
    throw new Error(`${directory} is there already; a backup is written to a directory of its own`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(tablePath(unfinished, '')), { recursive: true, mode: 0o700 });
  const pool = server.openPool(1);
  const connection = await pool.connect();
  try {
    const manifest = await whileHeld(connection, async (): Promise<Manifest> => {
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
  } finally {
    connection.release();
    await pool.end();
  }
}

/** All tables as they were at one moment, while others go on writing. */
async function writeRows(
  directory: string,
  connection: ClientBase,
): Promise<Pick<Manifest, 'migrations' | 'tables'>> {
  await connection.query('begin isolation level repeatable read read only');
  try {
    const { rows: recorded } = await connection.query<{ name: string }>(
      'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by migration_name',
    );
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of await readTables(connection)) {
      tables.push({
        name,
        columns,
        rows: await writeTable(tablePath(directory, name), name, connection),
      });
    }
    return { migrations: recorded.map(({ name }) => name), tables };
  } finally {
    await connection.query('rollback');
  }
}

async function writeTable(path: string, table: string, connection: ClientBase): Promise<number> {
  let rows = 0;
  async function* lines() {
    // jsonb is one line, whatever a text holds.
    await connection.query(
      `declare every_row no scroll cursor for select to_jsonb(t)::text as line from ${quoted(table)} t`,
    );
    for (;;) {
      const { rows: some } = await connection.query<{ line: string }>(
        `fetch ${rowsAtOnce} from every_row`,
      );
      if (some.length === 0) break;
      rows += some.length;
      yield some.map(({ line }) => `${line}\n`).join('');
    }
    await connection.query('close every_row');
  }
  await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return rows;
}

async function copyFiles(directory: string, storage: Parts['storage']): Promise<number> {
  const copies = createDiskStorage({ directory: filesPath(directory), alone: true });
  let files = 0;
  for await (const { key } of storage.list()) {
    try {
      await copies.put(key, await storage.get(key));
      files += 1;
    } catch (error) {
      // An upload that was refused meanwhile: no row has ever named it.
      if (!(error instanceof NotStored)) throw error;
    }
  }
  await rm(`${filesPath(directory)}/incoming`, { recursive: true, force: true });
  return files;
}
