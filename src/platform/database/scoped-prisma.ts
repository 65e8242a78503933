import type { Prisma, PrismaClient } from './generated/client.ts';
import { everything, type Scope, transactionScopeStatement } from './scope.ts';

type Transaction = Prisma.TransactionClient;

const scopes = new WeakMap<Transaction, Scope>();

/**
 * Prisma for one scope. Each call is a transaction that says first for whom it is: Prisma gathers
 * the look-ups of one moment into one statement, whoever asked them, unless they are in different
 * transactions.
 */
export function scopedPrisma(prisma: PrismaClient, scope: Scope): PrismaClient {
  const scoped = prisma.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        const [, result] = await prisma.$transaction([
          prisma.$executeRaw(transactionScopeStatement(scope)),
          query(args) as Prisma.PrismaPromise<unknown>,
        ]);
        return result;
      },
    },
  });
  const $transaction = (run: (tx: Transaction) => Promise<unknown>, options?: object) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw(transactionScopeStatement(scope));
      scopes.set(tx, scope);
      return run(tx);
    }, options);
  // What the extension adds to the type is nothing that anybody asks for.
  return new Proxy(scoped, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  }) as unknown as PrismaClient;
}

/**
 * A part of a transaction that must see what lies outside its organization: each use says why. The
 * ids that it works on have been looked up within the organization before, or are the sender's own
 * credential.
 */
export async function withoutTenantScope<T>(tx: Transaction, run: () => Promise<T>): Promise<T> {
  const scope = scopes.get(tx);
  if (!scope) return run();
  await tx.$executeRaw(transactionScopeStatement(everything));
  try {
    return await run();
  } finally {
    // Where a statement has failed the transaction takes no more of them, and ends with what it was
    // told.
    await tx.$executeRaw(transactionScopeStatement(scope)).catch(() => undefined);
  }
}
