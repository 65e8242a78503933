import { deserialize, serialize } from 'node:v8';
import type { QueryResultRow } from 'pg';
import type { Database } from './database.ts';
import { isRetryable } from './faults.ts';
import type { Prisma } from './generated/client.ts';
import { type Fragment, statementOf } from './sql.ts';

const triesMax = 3;

/**
 * Runs all of it or nothing; starts over when the database asks for that. Inside, only `tx` may be
 * used. For a request that is run again what the transaction returned the first time is returned
 * again, and nothing runs: so whatever is needed after it must be in what it returns, as plain
 * data.
 */
export async function inTransaction<T>(
  database: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const { steps } = database;
  if (!steps) return untilCommitted(database, run);
  const committed = committedResult<T>(database);
  if (committed) return committed.result;
  return untilCommitted(database, async (tx) => {
    const result = await run(tx);
    await steps.keep(tx, serialize(result));
    return result;
  });
}

/**
 * What the next transaction of a request returned in an earlier run, which committed it; undefined
 * where it must be run.
 */
export function committedResult<T>({ steps }: Database): { result: T } | undefined {
  const earlier = steps?.earlier.shift();
  return earlier && { result: deserialize(earlier) };
}

/**
 * The same for a change that is one statement, which is all or nothing by itself: one round trip
 * where a transaction takes four. `resultOf` may refuse only where the statement has changed
 * nothing.
 */
export function inOneStatement<Row extends QueryResultRow, T>(
  database: Database,
  statement: Fragment,
  resultOf: (rows: Row[]) => T,
): Promise<T> {
  if (!database.steps)
    return untilItFits(async () => resultOf(await database.sql<Row>`${statement}`));
  const { text, values } = statementOf(statement);
  return inTransaction(database, async (tx) =>
    resultOf((await tx.$queryRawUnsafe<Row[]>(text, ...values)).map(asSqlReads)),
  );
}

/** Prisma reads times as Dates and large integers as BigInts. */
function asSqlReads<Row extends QueryResultRow>(row: Row): Row {
  const read = (value: unknown) =>
    value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, read(value)])) as Row;
}

const untilCommitted = <T>(
  { prisma }: Database,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> => untilItFits(() => prisma.$transaction(run, { maxWait: 5_000, timeout: 10_000 }));

async function untilItFits<T>(run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried >= triesMax || !isRetryable(error)) throw error;
    }
  }
}
