import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { authSecretName } from '../modules/accounts/auth-secret.ts';
import { writeBackup } from '../platform/backup/write-backup.ts';
import { openServer } from '../platform/database/open-database.ts';
import type { Env } from '../platform/env.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { withDeletionLock } from '../platform/storage/deletion-lock.ts';
import { createStorage } from '../platform/storage/storage.ts';
import { version } from '../platform/version.ts';
import { runCommand } from './command.ts';

/**
 * `npm run backup -- <directory>` writes a backup of everything that cannot be regenerated; with a
 * Postgres, Atrium may be running. `npm run backup -- --while <command> …` runs a command, such as
 * pg_dump and a copy of the files, while no stored object is deleted.
 */
async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const env = prepareProgram();
  if (env.DATA_DIR === ':memory:')
    throw new Error('DATA_DIR is :memory:, so there is nothing to back up');
  if (first === '--while' && others[0] !== undefined)
    return runWithDeletionLock(others[0], others.slice(1), env);
  if (first === undefined || first.startsWith('-') || others.length > 0)
    throw new Error(
      'Usage: npm run backup -- <directory>, or npm run backup -- --while <command> …',
    );
  const log = createErrorLog(env);
  const server = await openServer({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, log });
  const storage = await createStorage(env, { isSoleUser: false, log });
  try {
    const authSecretFile =
      env.AUTH_SECRET === undefined ? join(env.DATA_DIR, authSecretName) : undefined;
    const { tables, files } = await writeBackup(resolve(first), {
      server,
      storage,
      version,
      authSecretFile,
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `Wrote ${rows} rows of ${tables.length} tables and ${files} files to ${first}.\n`,
    );
  } finally {
    storage.close();
    await server.close();
  }
}

async function runWithDeletionLock(command: string, args: string[], env: Env): Promise<void> {
  if (env.DATABASE_URL === undefined)
    throw new Error(
      '--while is for a Postgres: set DATABASE_URL. The embedded database is backed up by npm run backup -- <directory>.',
    );
  const server = await openServer({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    log: createErrorLog(env),
  });
  const pool = server.openPool(1);
  const connection = await pool.connect();
  try {
    process.exitCode = await withDeletionLock(connection, async () => {
      const child = spawn(command, args, { stdio: 'inherit' });
      // If the lock is lost, stored objects may be deleted meanwhile and the copy may be
      // incomplete.
      connection.once('error', () => child.kill());
      const [code]: (number | null)[] = await once(child, 'exit');
      return code ?? 1;
    });
  } finally {
    connection.release();
    await pool.end();
    await server.close();
  }
}

runCommand(main);
