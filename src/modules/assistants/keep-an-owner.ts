import type { Prisma } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';

/** Refuses a change, under the lock of the assistant, that would leave it without an owner. */
export async function keepAnOwner(
  { assistantId }: { assistantId: string },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const owner = await tx.assistantShare.findFirst({
    where: { assistantId, level: 'OWNER' },
    select: { id: true },
  });
  if (!owner) throw new AppError('CONFLICT', 'An assistant keeps at least one owner');
}
