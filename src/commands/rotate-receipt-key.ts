import { readAuthSecret } from '../modules/accounts/auth-secret.ts';
import { createReceiptCipher, rotateReceiptKey } from '../modules/runs/receipts/receipt-keys.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';

/**
 * `npm run receipt:rotate` makes a new key that signs receipts. Receipts of the key before it stay
 * valid. Running processes use the new key within a minute.
 */
async function main(): Promise<void> {
  const env = prepareProgram();
  const cipher = createReceiptCipher(readAuthSecret(env));
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    log: createErrorLog(env),
  });
  try {
    const id = await rotateReceiptKey({ database, clock: systemClock, cipher });
    process.stdout.write(
      `The key ${id} signs receipts from now on. Receipts of earlier keys stay valid.\n`,
    );
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
