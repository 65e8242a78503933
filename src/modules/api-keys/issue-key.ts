import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { createKey } from './create-key.ts';

type KeyRequest = { kind: ApiKeyKind; userId: string; name: string; expiresAt: Date | null };

const activeMax = 20;
const createdPerHourMax = 20;
const hourMs = 3_600_000;

const actions = { USER: 'create-user-key', ORGANIZATION: 'create-organization-key' } as const;

/**
 * Creates a key for the person or for their organization. The key is returned once and cannot be
 * read again.
 */
export async function issueKey(
  { kind, userId, name, expiresAt }: KeyRequest,
  writer: Writer,
): Promise<{ id: string; key: string }> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    if (expiresAt && expiresAt <= at)
      throw inputError(
        'expiresAt',
        'OUT_OF_RANGE',
        'expiresAt must be in the future',
        'EXPIRY_IN_PAST',
      );
    // The membership is locked: a concurrent removal waits and then also revokes the new key, and
    // the keys of one person are counted one after the other.
    const [membership] = await tx.sql`
      select user_id from memberships where organization_id = ${organizationId} and user_id = ${userId} for no key update`;
    if (!membership)
      throw new AppError('FORBIDDEN', 'You are not a member of this organization', 'NOT_A_MEMBER');
    await requireBelowKeyLimits({ organizationId, userId, at }, tx);
    const created = createKey(
      {
        kind,
        organizationId,
        userId: kind === 'USER' ? userId : null,
        name,
        expiresAt,
        createdById: userId,
        at,
      },
      tx,
    );
    record({
      action: actions[kind],
      targetType: 'ApiKey',
      targetId: created.id,
      changes: { name, expiresAt: expiresAt?.toISOString() ?? null },
    });
    return created;
  });
}

/** Each key has a separate rate limit, so the number of keys per person is limited. */
async function requireBelowKeyLimits(
  { organizationId, userId, at }: { organizationId: string; userId: string; at: Date },
  { sql }: Transaction,
): Promise<void> {
  const hourAgo = new Date(at.getTime() - hourMs);
  const [counts] = await sql<{ active: number; createdLastHour: number }>`
    select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > ${at}))::int as active,
      count(*) filter (where created_at > ${hourAgo})::int as "createdLastHour"
    from api_keys where organization_id = ${organizationId} and (user_id = ${userId} or created_by_id = ${userId})`;
  if (!counts) return;
  if (counts.active >= activeMax)
    throw new AppError(
      'CONFLICT',
      `You have ${activeMax} active keys here, which is the most. Revoke one that you do not need any more`,
      'TOO_MANY_KEYS',
    );
  if (counts.createdLastHour >= createdPerHourMax)
    throw new AppError(
      'RATE_LIMITED',
      `You have created ${createdPerHourMax} keys in the last hour, which is the most. Please try again later`,
      'TOO_MANY_NEW_KEYS',
    );
}
