import type { ApiKeyKind, Prisma } from '../../platform/database/generated/client.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { createKey } from './create-key.ts';

type IssueKey = { kind: ApiKeyKind; userId: string; name: string; expiresAt: Date | null };

const activeMax = 20;
const perHourMax = 20;
const hourMs = 3_600_000;

const actions = { USER: 'create-user-key', ORGANIZATION: 'create-organization-key' } as const;

/**
 * A key for the person who asks, or for their organization. The key is told here and never again.
 */
export async function issueKey(
  { kind, userId, name, expiresAt }: IssueKey,
  writer: Writer,
): Promise<{ id: string; key: string }> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    if (expiresAt && expiresAt <= at)
      throw inputError('expiresAt', 'OUT_OF_RANGE', 'expiresAt must be in the future');
    // Held, so that a removal at the same moment waits and takes the new key along, and keys of one
    // person are counted one after the other.
    const [membership] = await tx.$queryRaw<{ userId: string }[]>`
      select user_id as "userId" from memberships where organization_id = ${organizationId} and user_id = ${userId} for no key update`;
    if (!membership) throw new AppError('FORBIDDEN', 'You are not a member of this organization');
    await requireRoom({ organizationId, userId, at }, tx);
    const made = await createKey(
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
    await record({
      action: actions[kind],
      targetType: 'ApiKey',
      targetId: made.id,
      changes: { name, expiresAt: expiresAt?.toISOString() ?? null },
    });
    return made;
  });
}

/** Each key has a rate limit of its own, so a person has a limited number of them. */
async function requireRoom(
  { organizationId, userId, at }: { organizationId: string; userId: string; at: Date },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const lately = new Date(at.getTime() - hourMs);
  const [counted] = await tx.$queryRaw<{ active: number; lately: number }[]>`
    select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > ${at}))::int as active,
      count(*) filter (where created_at > ${lately})::int as lately
    from api_keys where organization_id = ${organizationId} and (user_id = ${userId} or created_by_id = ${userId})`;
  if (!counted) return;
  if (counted.active >= activeMax)
    throw new AppError(
      'CONFLICT',
      `You have ${activeMax} active keys here, which is the most. Revoke one that you do not need any more`,
    );
  if (counted.lately >= perHourMax)
    throw new AppError(
      'RATE_LIMITED',
      `You have created ${perHourMax} keys in the last hour, which is the most. Please try again later`,
    );
}
