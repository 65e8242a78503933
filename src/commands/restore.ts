import { join, resolve } from 'node:path';
import { authSecretName } from '../modules/accounts/auth-secret.ts';
import { restoreBackup } from '../platform/backup/restore-backup.ts';
import { openServer } from '../platform/database/open-database.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { createStorage } from '../platform/storage/storage.ts';
import { runCommand } from './command.ts';

/**
 * `npm run restore -- <directory>` restores a backup into the configured database and storage,
 * which must be empty.
 */
async function main(): Promise<void> {
  const [directory, ...others] = process.argv.slice(2);
  if (directory === undefined || directory.startsWith('-') || others.length > 0)
    throw new Error('Usage: npm run restore -- <directory>');
  const env = prepareProgram();
  if (env.DATA_DIR === ':memory:')
    throw new Error(
      'DATA_DIR is :memory:, so the restored data would be lost at once: set DATA_DIR to a directory',
    );
  const log = createErrorLog(env);
  const { tables, files, madeAt } = await restoreBackup(resolve(directory), {
    openServer: () => openServer({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, log }),
    openStorage: (server) => createStorage(env, { isSoleUser: server.kind === 'embedded', log }),
    log: { info: () => {}, warn: (fields, message) => log.warn(fields, message) },
    authSecretFile: env.AUTH_SECRET === undefined ? join(env.DATA_DIR, authSecretName) : undefined,
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `Restored ${rows} rows and ${files} files as they were at ${madeAt}. The next start reads the files into the vault again.\n`,
  );
}

runCommand(main);
