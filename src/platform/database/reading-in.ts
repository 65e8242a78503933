import type { Database } from './database.ts';
import type { Transaction } from './open-transaction.ts';
import { unusablePrisma } from './prisma.ts';

/** The database for reads that belong to an open transaction. */
export function readingIn({ sql }: Pick<Transaction, 'sql'>, database: Database): Database {
  const refuse = (): never => {
    throw new Error('This read belongs to a transaction and its scope');
  };
  return {
    ...{ ...database, sql, searchSql: sql, transact: refuse, within: refuse },
    prisma: unusablePrisma('a transaction'),
    get unscoped() {
      return refuse();
    },
  };
}
