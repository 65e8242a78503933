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
    // The lock waits for a removal of the previous administrator, which revokes the key.
    const [key] = await tx.sql<{ responsibleId: string | null; revokedAt: string | null }>`
      select responsible_id as "responsibleId", revoked_at as "revokedAt" from api_keys
      where id = ${id} and organization_id = ${organizationId} and kind = 'ORGANIZATION' for no key update`;
    if (!key) throw notFound('API key');
    if (key.revokedAt) throw new AppError('CONFLICT', 'The key is revoked', 'KEY_REVOKED');
    if (key.responsibleId === userId) return;
    tx.enqueue`update api_keys set responsible_id = ${userId} where id = ${id}`;
    record({
      action: 'take-over-key',
      targetType: 'ApiKey',
      targetId: id,
      changes: { responsibleId: userId },
    });
  });
}
