import type { Role } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { revokeCreatedAccess } from '../api-keys/revoke-created-access.ts';
import type { RecordChanges } from '../audit/record-change.ts';
import { lockAdministrators } from '../memberships/lock-administrators.ts';

type ChangeRoleInput = {
  organizationId: string;
  userId: string;
  role: Role;
  at: Date;
  /** False: the role of an administrator is refused instead of changed. */
  mayEndAdministrator: boolean;
};

/**
 * Changes the role of a member in the caller's transaction, and returns whether it was another one.
 * The last administrator cannot be made a member. With the role of an administrator, the keys and
 * invitations that they created are revoked, because these would keep the administrator's rights.
 */
export async function changeRole(
  { organizationId, userId, role, at, mayEndAdministrator }: ChangeRoleInput,
  tx: Transaction,
  record: RecordChanges,
): Promise<boolean> {
  const { member, isLastAdministrator } = await lockAdministrators({ organizationId, userId }, tx);
  if (!member) throw notFound('User');
  if (member.role === role) return false;
  if (role === 'MEMBER' && !mayEndAdministrator)
    throw new AppError(
      'FORBIDDEN',
      'An administrator can not be made a member through the API',
      'ADMINISTRATOR_KEPT',
    );
  if (role === 'MEMBER' && isLastAdministrator)
    throw new AppError(
      'FORBIDDEN',
      'An organization keeps at least one administrator',
      'LAST_ADMINISTRATOR',
    );
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
  return true;
}
