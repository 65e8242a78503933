import { seed } from '../modules/demo/seed.ts';
import { createQuotas } from '../modules/quotas/quotas.ts';
import { systemClock } from '../platform/clock.ts';
import { DirectoryInUse } from '../platform/database/lock.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { createStorage } from '../platform/storage/storage.ts';
import { runCommand } from './command.ts';

/**
 * `npm run seed` creates demo data. With `-- --json` it prints one JSON object on standard output
 * and nothing else.
 */
async function main(): Promise<void> {
  const [format, ...others] = process.argv.slice(2);
  if ((format !== undefined && format !== '--json') || others.length > 0)
    throw new Error('Usage: npm run seed [-- --json]');
  const env = prepareProgram();
  if (env.NODE_ENV === 'production') throw new Error('Demo data is not for production');
  // Standard output is reserved for the result.
  const log = createErrorLog(env);
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    log,
  }).catch(explainRunningServer);
  const storage = await createStorage(env, { isSoleUser: database.kind === 'embedded', log });
  const quotas = createQuotas({ env, database, log });
  try {
    // The server processes the stored files, whether it is running or starts later.
    const { organizations } = await seed({
      database,
      clock: systemClock,
      files: { storage, quotas, wake: () => undefined },
    });
    process.stdout.write(
      format === '--json'
        ? `${JSON.stringify({ organizations })}\n`
        : organizations.map(formatOrganization).join('\n'),
    );
  } finally {
    storage.close();
    await database.close();
  }
}

/**
 * Only one process can use the embedded database, and right after `npm start` that is the server.
 */
function explainRunningServer(error: unknown): never {
  if (!(error instanceof DirectoryInUse)) throw error;
  throw new Error(
    `Nothing was seeded, because Atrium is running. Stop it with Ctrl+C, run npm run seed, then start it again.\n${error.message}`,
  );
}

const formatOrganization = ({
  slug,
  features,
  organizationKey,
  users,
  assistants,
}: Awaited<ReturnType<typeof seed>>['organizations'][number]) =>
  [
    `${slug} (${features.join(', ') || 'no feature'})`,
    `  organization key  ${organizationKey}`,
    ...users.map(
      ({ role, email, password, userKey }) =>
        `  ${role.padEnd(9)} ${email.padEnd(24)} password ${password}  key ${userKey}`,
    ),
    ...assistants.map(({ id, name }) => `  assistant ${name.padEnd(24)} ${id}`),
    '',
  ].join('\n');

runCommand(main);
