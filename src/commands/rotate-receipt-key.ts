import { readAuthSecret } from '../modules/accounts/auth-secret.ts';
import { createReceiptCipher, rotateReceiptKey } from '../modules/runs/receipts/receipt-keys.ts';
import { systemClock } from '../platform/clock.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { requireNoArguments, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * `npm run receipt:rotate` makes a new key that signs receipts. Receipts of the key before it stay
 * valid. Running processes use the new key within a minute.
 */
async function main(): Promise<void> {
  requireNoArguments('Usage: npm run receipt:rotate');
  const env = prepareProgram();
  const cipher = createReceiptCipher(readAuthSecret(env));
  await withDatabase(env, async (database) => {
    const id = await rotateReceiptKey({ database, clock: systemClock, cipher });
    process.stdout.write(
      `The key ${id} signs receipts from now on. Receipts of earlier keys stay valid.\n`,
    );
  });
}

runCommand(main);
