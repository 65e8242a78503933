import { PrismaPg } from '@prisma/adapter-pg';
import {
  DriverAdapterError,
  type SqlDriverAdapterFactory,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import { inStatementSpan } from './database-spans.ts';
import { PrismaClient } from './generated/client.ts';
import { createStatementNames } from './statements.ts';

const statementsMax = 200;

export function createPrisma(pool: Pool): PrismaClient {
  const nameOf = createStatementNames('prisma_', statementsMax);
  const adapter = new PrismaPg(pool, {
    // A statement without values is not prepared, so BEGIN and COMMIT each take one message.
    statementNameGenerator: ({ sql, args }) => (args.length > 0 && nameOf(sql)) || '',
  });
  return new PrismaClient({
    adapter: withCheckedCommit(adapter),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 5000 },
  });
}

/**
 * Prisma opens connections of its own, which do not see the changes of an open transaction; the
 * embedded database has only one connection.
 */
export const unusablePrisma = (where: string): PrismaClient =>
  new Proxy(Object.create(null), {
    get() {
      throw new Error(`Prisma cannot be used in ${where}`);
    },
  });

/**
 * In a transaction that a failed statement has aborted, Postgres answers COMMIT with a rollback and
 * without an error. A rule that caught the error would report success although nothing was stored.
 * This wrapper throws instead.
 */
function withCheckedCommit(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const start = adapter.startTransaction.bind(adapter);
      const query = adapter.queryRaw.bind(adapter);
      const execute = adapter.executeRaw.bind(adapter);
      return Object.assign(adapter, {
        queryRaw: (...statement: Parameters<typeof query>) =>
          inStatementSpan(statement[0].sql, () => query(...statement)),
        executeRaw: (...statement: Parameters<typeof execute>) =>
          inStatementSpan(statement[0].sql, () => execute(...statement)),
        startTransaction: async (...level: Parameters<typeof start>) =>
          withAbortCheck(await start(...level)),
      });
    },
  };
}

function withAbortCheck(transaction: Transaction): Transaction {
  let aborted = false;
  const recordFailure =
    <Arguments extends unknown[], Result>(run: (...parameters: Arguments) => Promise<Result>) =>
    async (...parameters: Arguments) => {
      try {
        return await run(...parameters);
      } catch (error) {
        aborted = true;
        throw error;
      }
    };
  const execute = recordFailure(transaction.executeRaw.bind(transaction));
  const rollbackToSavepoint = transaction.rollbackToSavepoint?.bind(transaction);
  return Object.assign(transaction, {
    queryRaw: recordFailure(transaction.queryRaw.bind(transaction)),
    executeRaw: async (...parameters: Parameters<typeof execute>) => {
      if (aborted && parameters[0].sql === 'COMMIT') throw abortedTransaction();
      return execute(...parameters);
    },
    rollbackToSavepoint: async (name: string) => {
      await rollbackToSavepoint?.(name);
      aborted = false;
    },
  });
}

function abortedTransaction(): DriverAdapterError {
  const message = 'a statement of this transaction failed, so it can not be committed';
  return new DriverAdapterError({
    kind: 'postgres',
    code: '25P02',
    severity: 'ERROR',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}
