import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

type TakeOverKey = { id: string; userId: string };

/**
 * From now on this administrator answers for a key of the organization: it stays in force when the
 * one before leaves.
 */
export async function takeOverKey({ id, userId }: TakeOverKey, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    const where = { id, organizationId, kind: 'ORGANIZATION' as const };
    const key = await tx.apiKey.findFirst({
      where,
      select: { responsibleId: true, revokedAt: true },
    });
    if (!key) throw notFound('API key');
    if (key.revokedAt) throw new AppError('CONFLICT', 'The key is revoked');
    if (key.responsibleId === userId) return;
    // A removal at the same moment may have revoked it meanwhile.
    const { count } = await tx.apiKey.updateMany({
      where: { ...where, revokedAt: null },
      data: { responsibleId: userId },
    });
    if (count === 0) throw new AppError('CONFLICT', 'The key is revoked');
    await record({
      action: 'take-over-key',
      targetType: 'ApiKey',
      targetId: id,
      changes: { responsibleId: userId },
    });
  });
}
