import type { Prisma } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Throws if the transaction leaves the assistant without an owner. The caller holds the lock of the
 * assistant.
 */
export async function requireRemainingOwner(
  { assistantId }: { assistantId: string },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const owner = await tx.assistantShare.findFirst({
    where: { assistantId, level: 'OWNER' },
    select: { id: true },
  });
  if (!owner) throw new AppError('CONFLICT', 'An assistant keeps at least one owner');
}
