import type { Role } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { revokeCreatedAccess } from '../api-keys/revoke-created-access.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { lockAdministrators } from '../memberships/lock-administrators.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type SetUserRoleInput = { userId: string; role: Role };

/**
 * Makes a member an administrator, or an administrator a member. The last administrator cannot be
 * made a member. With the role of an administrator, the keys and invitations that they created are
 * revoked, because these would keep the administrator's rights.
 */
export async function setUserRole(
  { userId, role }: SetUserRoleInput,
  writer: Writer,
): Promise<Member> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const { member, isLastAdministrator } = await lockAdministrators(
      { organizationId, userId },
      tx,
    );
    if (!member) throw notFound('User');
    if (member.role === role) return;
    if (role === 'MEMBER' && isLastAdministrator)
      throw new AppError('FORBIDDEN', 'An organization keeps at least one administrator');
    tx.enqueue`
      update memberships set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`;
    const revoked =
      role === 'MEMBER' ? await revokeCreatedAccess({ organizationId, userId, at }, tx) : {};
    record({
      action: 'set-user-role',
      targetType: 'User',
      targetId: userId,
      changes: { role, ...revoked },
    });
  });
  writer.credentialsChanged();
  return readMember({ organizationId, userId }, writer);
}
