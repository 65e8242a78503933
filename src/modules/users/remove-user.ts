import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/**
 * Ends a membership, and with it the person's teams and keys in the organization. The account stays.
 * The foreign keys take the rest along, so that nothing of the membership can be left behind.
 */
export async function removeUser({ userId }: { userId: string }, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    const [membership] = await tx.$queryRaw<{ role: string; email: string }[]>`
      select m.role, u.email from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId} for update of m`;
    if (!membership) throw notFound('User');
    if (membership.role === 'ADMIN') throw new AppError('FORBIDDEN', 'An administrator can not be removed through the API');
    await tx.membership.delete({ where: { organizationId_userId: { organizationId, userId } }, select: { userId: true } });
    await record({ action: 'remove-user', targetType: 'User', targetId: userId, changes: { email: membership.email } });
  });
  writer.credentialsChanged();
}
