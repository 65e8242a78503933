import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

type KeyRevocation = { id: string; userId: string; isAdmin: boolean };

/**
 * Revokes a person's own key or, for an administrator, a key of the organization. Revoking it again
 * changes nothing. Every other key answers NOT_FOUND.
 */
export async function revokeKey(
  { id, userId, isAdmin }: KeyRevocation,
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const [key] = await tx.sql<{ isRevoked: boolean }>`
      select revoked_at is not null as "isRevoked" from api_keys
      where id = ${id} and organization_id = ${organizationId} and (user_id = ${userId} or (${isAdmin} and kind = 'ORGANIZATION'))
      for no key update`;
    if (!key) throw notFound('API key');
    if (key.isRevoked) return;
    tx.enqueue`update api_keys set revoked_at = ${at} where id = ${id}`;
    record({
      action: 'revoke-api-key',
      targetType: 'ApiKey',
      targetId: id,
      changes: { revokedAt: at.toISOString() },
    });
  });
  writer.credentialsChanged();
}
