import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { authSecretName } from './modules/accounts/auth-secret.ts';
import { writeBackup } from './platform/backup/write-backup.ts';
import { openServer } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';
import { createErrorLog } from './platform/log.ts';
import { prepareProgram } from './platform/prepare-program.ts';
import { whileHeld } from './platform/storage/hold.ts';
import { createStorage } from './platform/storage/storage.ts';

/**
 * `npm run backup -- <directory>` writes everything that Atrium could not make anew; with a
 * Postgres while it runs. `npm run backup -- --while <command> …` runs that command, such as
 * pg_dump and a copy of the files, while nothing stored is removed.
 */
async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const env = prepareProgram();
  if (env.DATA_DIR === ':memory:') throw new Error('What is kept in memory has no backup');
  if (first === '--while' && others[0] !== undefined)
    return runWhileHeld(others[0], others.slice(1), env);
  if (first === undefined || first.startsWith('-') || others.length > 0)
    throw new Error(
      'Usage: npm run backup -- <directory>, or npm run backup -- --while <command> …',
    );
  const log = createErrorLog(env);
  const server = await openServer({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, log });
  const storage = await createStorage(env, { alone: false, log });
  try {
    const authSecretFile =
      env.AUTH_SECRET === undefined ? join(env.DATA_DIR, authSecretName) : undefined;
    const { tables, files } = await writeBackup(resolve(first), {
      server,
      storage,
      version: packageJson.version,
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

async function runWhileHeld(command: string, args: string[], env: Env): Promise<void> {
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
    process.exitCode = await whileHeld(connection, async () => {
      const child = spawn(command, args, { stdio: 'inherit' });
      // Whoever lost the lock has a copy that may lack files.
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

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
