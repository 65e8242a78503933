import type { Role } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type SetUserRole = { userId: string; role: Role };

/** Makes a member an administrator, or an administrator a member. The last administrator stays one. */
export async function setUserRole({ userId, role }: SetUserRole, writer: Writer): Promise<Member> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    // All administrators are held, in one order, so that two who step back at the same moment wait for each other.
    const held = await tx.$queryRaw<{ userId: string; role: Role }[]>`
      select user_id as "userId", role::text from memberships
      where organization_id = ${organizationId} and (role = 'ADMIN' or user_id = ${userId}) order by user_id for update`;
    const member = held.find((one) => one.userId === userId);
    if (!member) throw notFound('User');
    if (member.role === role) return;
    if (role === 'MEMBER' && held.length === 1) throw new AppError('FORBIDDEN', 'An organization keeps at least one administrator');
    await tx.membership.update({ where: { organizationId_userId: { organizationId, userId } }, data: { role }, select: { userId: true } });
    await record({ action: 'set-user-role', targetType: 'User', targetId: userId, changes: { role } });
  });
  writer.credentialsChanged();
  return readMember({ organizationId, userId }, writer);
}
