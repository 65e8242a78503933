import type { Role } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type RecordChanges, type Writer } from '../audit/record-change.ts';
import { changeRole } from './change-role.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type NewNames = { firstName?: string | null | undefined; lastName?: string | null | undefined };
type UpdateUserInput = NewNames & { userId: string; role?: Role | null | undefined };
type ShownNames = { firstName: string; lastName: string; areOwn: boolean };

/**
 * Changes the names that the organization gives a member, and the role; what is undefined or null
 * stays as it is. The organization cannot change the names that a person has set for themselves,
 * and an administrator keeps the role.
 */
export async function updateUser(
  { userId, role, ...names }: UpdateUserInput,
  writer: Writer,
): Promise<{ user: Member; isRoleChanged: boolean }> {
  const { organizationId } = writer.actor;
  const hasNames = [names.firstName, names.lastName].some((name) => typeof name === 'string');
  if (!hasNames && !role)
    return { user: await readMember({ organizationId, userId }, writer), isRoleChanged: false };
  const isRoleChanged = await change(writer, async (tx, record, at) => {
    const changed = role
      ? await changeRole(
          { organizationId, userId, role, at, mayEndAdministrator: false },
          tx,
          record,
        )
      : false;
    if (hasNames) await giveNames({ organizationId, userId, names }, tx, record);
    return changed;
  });
  if (isRoleChanged) writer.credentialsChanged();
  return { user: await readMember({ organizationId, userId }, writer), isRoleChanged };
}

async function giveNames(
  { organizationId, userId, names }: { organizationId: string; userId: string; names: NewNames },
  tx: Transaction,
  record: RecordChanges,
): Promise<void> {
  const [shown] = await tx.sql<ShownNames>`
    select "areOwn", case when "areOwn" then u.first_name else m.given_first_name end as "firstName",
      case when "areOwn" then u.last_name else m.given_last_name end as "lastName"
    from memberships m join users u on u.id = m.user_id
    cross join lateral shows_own_names(m.accepted_at, u.first_name, u.last_name) "areOwn"
    where m.organization_id = ${organizationId} and m.user_id = ${userId} for update of m`;
  if (!shown) throw notFound('User');
  const firstName = names.firstName ?? shown.firstName;
  const lastName = names.lastName ?? shown.lastName;
  const fields = [
    ...(firstName === shown.firstName ? [] : ['firstName']),
    ...(lastName === shown.lastName ? [] : ['lastName']),
  ];
  if (fields.length === 0) return;
  if (shown.areOwn)
    throw new AppError(
      'FORBIDDEN',
      'The user has set their own names, which only they can change',
      'NAMES_SET_BY_OWNER',
    );
  tx.enqueue`
    update memberships set given_first_name = ${firstName}, given_last_name = ${lastName}
    where organization_id = ${organizationId} and user_id = ${userId}`;
  // The audit log cannot be changed, so it has no names that would outlive the account.
  record({ action: 'update-user', targetType: 'User', targetId: userId, changes: { fields } });
}
