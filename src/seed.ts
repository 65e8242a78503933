import { seed } from './modules/demo/seed.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/database/database.ts';
import { readEnv } from './platform/env.ts';
import { createErrorLog } from './platform/log.ts';

/** `npm run seed`: with `-- --json` one JSON object on standard output and nothing else. */
async function main(): Promise<void> {
  const env = readEnv();
  if (env.NODE_ENV === 'production') throw new Error('Demo data is not for production');
  // Standard output belongs to the result.
  const database = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, log: createErrorLog(env) });
  try {
    const { organizations } = await seed({ database, clock: systemClock });
    process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify({ organizations })}\n` : organizations.map(tell).join('\n'));
  } finally {
    await database.close();
  }
}

const tell = ({ slug, features, organizationKey, users }: Awaited<ReturnType<typeof seed>>['organizations'][number]) =>
  [
    `${slug} (${features.join(', ') || 'no feature'})`,
    `  organization key  ${organizationKey}`,
    ...users.map(({ role, email, password, userKey }) => `  ${role.padEnd(9)} ${email.padEnd(24)} password ${password}  key ${userKey}`),
    '',
  ].join('\n');

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
