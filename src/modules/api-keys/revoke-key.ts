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
  const revocable = {
    id,
    organizationId,
    OR: [{ userId }, ...(isAdmin ? [{ kind: 'ORGANIZATION' as const }] : [])],
  };
  await change(writer, async (tx, record, at) => {
    const { count } = await tx.apiKey.updateMany({
      where: { ...revocable, revokedAt: null },
      data: { revokedAt: at },
    });
    if (count === 1)
      return record({
        action: 'revoke-api-key',
        targetType: 'ApiKey',
        targetId: id,
        changes: { revokedAt: at.toISOString() },
      });
    if (!(await tx.apiKey.findFirst({ where: revocable, select: { id: true } })))
      throw notFound('API key');
  });
  writer.credentialsChanged();
}
