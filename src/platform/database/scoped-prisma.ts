import type { Prisma, PrismaClient } from './generated/client.ts';
import { localScopeStatement, type TenantScope } from './scope.ts';

/**
 * Prisma for one scope. Each call is a transaction that sets the scope first. Outside of
 * transactions Prisma combines the lookups of one tick into one statement, even if they belong to
 * different callers.
 */
export function scopedPrisma(prisma: PrismaClient, scope: TenantScope): PrismaClient {
  const { text, values } = localScopeStatement(scope);
  const scoped = prisma.$extends({
    client: {
      // Its calls would leave the transaction for one of their own, which sets the scope.
      $transaction: () => {
        throw new Error(
          'Prisma has no transactions within an organization: use inTransaction, which sets the scope',
        );
      },
    },
    query: {
      $allOperations: async ({ args, query }) => {
        const [, result] = await prisma.$transaction([
          prisma.$executeRawUnsafe(text, ...values),
          query(args) as Prisma.PrismaPromise<unknown>,
        ]);
        return result;
      },
    },
  });
  // The members that the extension adds to the type are not used.
  return scoped as unknown as PrismaClient;
}
