import { deserialize, serialize } from 'node:v8';
import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Prisma } from './generated/client.ts';

const triesMax = 3;

/**
 * Runs all of it or nothing; starts over when the database asks for that. Inside, only `tx` may be used. For a request that
 * is run again what the transaction returned the first time is returned again, and nothing runs: so whatever is needed
 * after it must be in what it returns, as plain data.
 */
export async function inTransaction<T>(database: Database, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  const { steps } = database;
  if (!steps) return untilItFits(database, run);
  const earlier = steps.earlier.shift();
  if (earlier) return deserialize(earlier);
  return untilItFits(database, async (tx) => {
    const result = await run(tx);
    await steps.keep(tx, serialize(result));
    return result;
  });
}

async function untilItFits<T>(database: Database, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await database.prisma.$transaction(run, { maxWait: 5_000, timeout: 10_000 });
    } catch (error) {
      if (tried >= triesMax || !isRetryable(error)) throw error;
    }
  }
}
