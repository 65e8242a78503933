import type { Role } from '../../platform/database/generated/client.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { changeRole } from './change-role.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type SetUserRoleInput = { userId: string; role: Role };

/** Makes a member an administrator, or an administrator a member. */
export async function setUserRole(
  { userId, role }: SetUserRoleInput,
  writer: Writer,
): Promise<Member> {
  const { organizationId } = writer.actor;
  await change(writer, (tx, record, at) =>
    changeRole({ organizationId, userId, role, at, mayEndAdministrator: true }, tx, record),
  );
  writer.credentialsChanged();
  return readMember({ organizationId, userId }, writer);
}
