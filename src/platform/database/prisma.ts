import { PrismaPg } from '@prisma/adapter-pg';
import {
  DriverAdapterError,
  type SqlDriverAdapterFactory,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/client.ts';
import { createStatementNames } from './statements.ts';

const statementsMax = 200;

export function createPrisma(pool: Pool): PrismaClient {
  const nameOf = createStatementNames('prisma_', statementsMax);
  const adapter = new PrismaPg(pool, {
    // Without values there is nothing to prepare, and BEGIN and COMMIT travel in one message.
    statementNameGenerator: ({ sql, args }) => (args.length > 0 && nameOf(sql)) || '',
  });
  return new PrismaClient({
    adapter: withHonestCommit(adapter),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 5000 },
  });
}

/**
 * Postgres answers COMMIT in a transaction that a failed statement has aborted with a rollback and
 * without an error. So a rule that caught the fault would report success and store nothing.
 */
function withHonestCommit(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const start = adapter.startTransaction.bind(adapter);
      return Object.assign(adapter, {
        startTransaction: async (...level: Parameters<typeof start>) =>
          watched(await start(...level)),
      });
    },
  };
}

function watched(transaction: Transaction): Transaction {
  let aborted = false;
  const noting =
    <Arguments extends unknown[], Result>(run: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments) => {
      try {
        return await run(...given);
      } catch (error) {
        aborted = true;
        throw error;
      }
    };
  const execute = noting(transaction.executeRaw.bind(transaction));
  const rollbackToSavepoint = transaction.rollbackToSavepoint?.bind(transaction);
  return Object.assign(transaction, {
    queryRaw: noting(transaction.queryRaw.bind(transaction)),
    executeRaw: async (...given: Parameters<typeof execute>) => {
      if (aborted && given[0].sql === 'COMMIT') throw abortedTransaction();
      return execute(...given);
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
