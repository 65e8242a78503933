import { setPlatformSupport } from './modules/accounts/set-platform-support.ts';
import { openDatabase } from './platform/database/database.ts';
import { readEnv } from './platform/env.ts';
import { createErrorLog } from './platform/log.ts';

/** `npm run support -- grant|revoke <e-mail>`: who works for the platform. Whoever can run this has the database anyway. */
async function main(): Promise<void> {
  const [action, email] = process.argv.slice(2);
  if ((action !== 'grant' && action !== 'revoke') || email === undefined) throw new Error('Usage: npm run support -- grant|revoke <e-mail>');
  const env = readEnv();
  const database = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, log: createErrorLog(env) });
  try {
    await setPlatformSupport({ email, isPlatformSupport: action === 'grant' }, { database });
    process.stdout.write(`${email} ${action === 'grant' ? 'now works' : 'no longer works'} for the platform\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
