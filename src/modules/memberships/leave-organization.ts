import { AppError, notFound } from '../../platform/errors.ts';
import { revokeCreatedAccess } from '../api-keys/revoke-created-access.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { countEnded } from '../conversations/end-conversations.ts';
import { lockAdministrators } from './lock-administrators.ts';

/**
 * Deletes a person's own membership and revokes the keys and invitations that they created as an
 * administrator. Foreign keys delete their team memberships and own keys in the organization. The
 * account stays. The last administrator cannot leave.
 */
export async function leaveOrganization(
  { userId }: { userId: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const { member, isLastAdministrator } = await lockAdministrators(
      { organizationId, userId },
      tx,
    );
    if (!member) throw notFound('Membership');
    if (isLastAdministrator) {
      throw new AppError(
        'FORBIDDEN',
        'You are the last administrator of this organization. Make another member an administrator, then leave',
        'LAST_ADMINISTRATOR',
      );
    }
    const revoked = await revokeCreatedAccess({ organizationId, userId, at }, tx);
    const ended = await countEnded({ organizationId, userId }, tx);
    const [left] = await tx.sql<{ email: string }>`
      delete from memberships m using users u
      where m.organization_id = ${organizationId} and m.user_id = ${userId} and u.id = m.user_id returning u.email`;
    record({
      action: 'leave-organization',
      targetType: 'User',
      targetId: userId,
      changes: { email: left?.email ?? null, ...revoked, ...ended },
    });
  });
  writer.credentialsChanged();
}
