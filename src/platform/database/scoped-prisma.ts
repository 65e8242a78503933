import type { Prisma, PrismaClient } from './generated/client.ts';
import { allTenants, type TenantScope, transactionScopeStatement } from './scope.ts';

type TransactionClient = Prisma.TransactionClient;

const scopes = new WeakMap<TransactionClient, TenantScope>();

/**
 * Prisma for one scope. Each call is a transaction that sets the scope first. Outside of
 * transactions Prisma combines the lookups of one tick into one statement, even if they belong to
 * different callers.
 */
export function scopedPrisma(prisma: PrismaClient, scope: TenantScope): PrismaClient {
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
  const $transaction = (run: (tx: TransactionClient) => Promise<unknown>, options?: object) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw(transactionScopeStatement(scope));
      scopes.set(tx, scope);
      return run(tx);
    }, options);
  // The members that the extension adds to the type are not used.
  return new Proxy(scoped, {
    get: (target, name) => (name === '$transaction' ? $transaction : Reflect.get(target, name)),
  }) as unknown as PrismaClient;
}

/**
 * Runs a part of a transaction without tenant scope. Each use states the reason. The ids that it
 * uses were looked up within the organization before, or belong to the sender's own credential.
 */
export async function withoutTenantScope<T>(
  tx: TransactionClient,
  run: () => Promise<T>,
): Promise<T> {
  const scope = scopes.get(tx);
  if (!scope) return run();
  await tx.$executeRaw(transactionScopeStatement(allTenants));
  try {
    return await run();
  } finally {
    // After a failed statement the transaction accepts no more statements, and the original error
    // is thrown.
    await tx.$executeRaw(transactionScopeStatement(scope)).catch(() => undefined);
  }
}
