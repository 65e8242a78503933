import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

type KeyTakeover = { id: string; userId: string };

/**
 * Makes this administrator responsible for a key of the organization, so that it stays valid when
 * the previous responsible administrator leaves.
 */
export async function takeOverKey({ id, userId }: KeyTakeover, writer: Writer): Promise<void> {
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
    // A concurrent removal of the previous administrator may have revoked the key since it was
    // read.
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
