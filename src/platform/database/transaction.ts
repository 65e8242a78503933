import { deserialize, serialize } from 'node:v8';
import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Transaction } from './open-transaction.ts';

const attemptsMax = 3;

/**
 * Runs a transaction and repeats it after a serialization failure or deadlock. Only `tx` may be
 * used inside. If an idempotent request is repeated, the stored result of the first execution is
 * returned and nothing runs. Therefore everything that is needed after the transaction must be in
 * its result, as plain data.
 */
export async function inTransaction<T>(
  database: Database,
  run: (tx: Transaction) => T | Promise<T>,
): Promise<T> {
  const { committedResults } = database;
  if (!committedResults) return retryOnConflict(() => database.transact(run));
  const committed = committedResult<T>(database);
  if (committed) return committed.result;
  return retryOnConflict(() =>
    database.transact(async (tx) => {
      const { sql, enqueue } = tx;
      // The result is stored in the same transaction, so no statement of the rule commits it.
      const result = await run({
        ...{ sql, enqueue, commitWith: sql },
        withoutTenantScope: (part) => tx.withoutTenantScope(part),
      });
      await committedResults.save(tx, serialize(result));
      return result;
    }),
  );
}

/**
 * The result of the next transaction, if an earlier run of this idempotent request committed it;
 * otherwise undefined.
 */
export function committedResult<T>({ committedResults }: Database): { result: T } | undefined {
  const serialized = committedResults?.pending.shift();
  return serialized && { result: deserialize(serialized) };
}

async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
    }
  }
}
