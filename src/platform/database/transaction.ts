import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Transaction } from './open-transaction.ts';

// Rows such as the deliveries of a webhook change several times within a moment, and a transaction with
// a precondition fails with each change. The pauses grow, and differ so that transactions do not meet
// again.
const attemptsMax = 10;
const pauseStepMs = 10;

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
  if (!committedResults) return retryOnConflict(() => transactIf(database, run));
  const committed = committedResult<T>(database);
  if (committed) return committed.result;
  return retryOnConflict(() =>
    transactIf(database, async (tx) => {
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
 * Runs a transaction. If the request has a precondition, the transaction checks it first, and fails
 * if another one changes what it has read: when it is repeated, the precondition is false.
 */
async function transactIf<T>(
  { transact, precondition }: Database,
  run: (tx: Transaction) => T | Promise<T>,
): Promise<T> {
  if (!precondition || precondition.isChecked) return transact(run);
  const result = await transact(
    async (tx) => {
      await precondition.check(tx);
      return run(tx);
    },
    { isRepeatableRead: true },
  );
  precondition.isChecked = true;
  return result;
}

/**
 * The result of the next transaction, if an earlier run of this idempotent request committed it;
 * otherwise undefined.
 */
export function committedResult<T>({
  committedResults,
  precondition,
}: Database): { result: T } | undefined {
  const serialized = committedResults?.pending.shift();
  if (!serialized) return undefined;
  if (precondition) precondition.isChecked = true;
  return { result: deserialize(serialized) };
}

async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
      await pause(Math.random() * pauseStepMs * attempt);
    }
  }
}
