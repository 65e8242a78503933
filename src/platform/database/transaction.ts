import { deserialize, serialize } from 'node:v8';
import type { QueryResultRow } from 'pg';
import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Prisma } from './generated/client.ts';
import { type Fragment, statementOf } from './sql.ts';

const attemptsMax = 3;

/**
 * Runs a transaction and repeats it after a serialization failure or deadlock. Only `tx` may be
 * used inside. If an idempotent request is repeated, the stored result of the first execution is
 * returned and nothing runs. Therefore everything that is needed after the transaction must be in
 * its result, as plain data.
 */
export async function inTransaction<T>(
  database: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const { committedResults } = database;
  if (!committedResults) return runTransaction(database, run);
  const committed = committedResult<T>(database);
  if (committed) return committed.result;
  return runTransaction(database, async (tx) => {
    const result = await run(tx);
    await committedResults.save(tx, serialize(result));
    return result;
  });
}

/**
 * The result of the next transaction, if an earlier run of this idempotent request committed it;
 * otherwise undefined.
 */
export function committedResult<T>({ committedResults }: Database): { result: T } | undefined {
  const serialized = committedResults?.pending.shift();
  return serialized && { result: deserialize(serialized) };
}

/**
 * The same for a change with a single statement, which is atomic by itself: one round trip instead
 * of four. `resultOf` may throw only if the statement has changed nothing.
 */
export function inOneStatement<Row extends QueryResultRow, T>(
  database: Database,
  statement: Fragment,
  resultOf: (rows: Row[]) => T,
): Promise<T> {
  if (!database.committedResults)
    return retryOnConflict(async () => resultOf(await database.sql<Row>`${statement}`));
  const { text, values } = statementOf(statement);
  return inTransaction(database, async (tx) =>
    resultOf((await tx.$queryRawUnsafe<Row[]>(text, ...values)).map(toSqlRow)),
  );
}

/**
 * Prisma returns timestamps as Dates and large integers as BigInts; this converts them as `sql`
 * does.
 */
function toSqlRow<Row extends QueryResultRow>(row: Row): Row {
  const read = (value: unknown) =>
    value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, read(value)])) as Row;
}

const runTransaction = <T>(
  { prisma }: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> =>
  retryOnConflict(() => prisma.$transaction(run, { maxWait: 5_000, timeout: 10_000 }));

async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) throw error;
    }
  }
}
