import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { createKey } from './create-key.ts';

type IssueKey = { kind: ApiKeyKind; userId: string; name: string; expiresAt: Date | null };

const actions = { USER: 'create-user-key', ORGANIZATION: 'create-organization-key' } as const;

/** A key for the person who asks, or for their organization. The key is told here and never again. */
export async function issueKey({ kind, userId, name, expiresAt }: IssueKey, writer: Writer): Promise<{ id: string; key: string }> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    if (expiresAt && expiresAt <= at) throw new AppError('BAD_INPUT', 'expiresAt must be in the future');
    // Held, so that a removal at the same moment waits and takes the new key along.
    const [membership] = await tx.$queryRaw<{ userId: string }[]>`
      select user_id as "userId" from memberships where organization_id = ${organizationId} and user_id = ${userId} for key share`;
    if (!membership) throw new AppError('FORBIDDEN', 'You are not a member of this organization');
    const made = await createKey({ kind, organizationId, userId: kind === 'USER' ? userId : null, name, expiresAt, createdById: userId, at }, tx);
    await record({ action: actions[kind], targetType: 'ApiKey', targetId: made.id, changes: { name, expiresAt: expiresAt?.toISOString() ?? null } });
    return made;
  });
}
