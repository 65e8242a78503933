import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Prisma } from './generated/client.ts';

const triesMax = 3;

/** Runs all of it or nothing; starts over when the database asks for that. Inside, only `tx` may be used. */
export async function inTransaction<T>(database: Database, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await database.prisma.$transaction(run, { maxWait: 5_000, timeout: 10_000 });
    } catch (error) {
      if (tried >= triesMax || !isRetryable(error)) throw error;
    }
  }
}
