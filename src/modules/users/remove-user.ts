import { fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { revokedAccess, revokedCounts } from '../api-keys/revoke-created-access.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';

/**
 * Ends a membership, and with it the person's teams and keys in the organization, and what they
 * made as an administrator. The account stays. The foreign keys take the rest along, so that
 * nothing of the membership can be left behind.
 */
export async function removeUser({ userId }: { userId: string }, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await changeRows<{ role: string }, void>(
    writer,
    (at) => ({
      before: fragment`held as (
        select m.organization_id, m.user_id, m.role, u.email from memberships m join users u on u.id = m.user_id
        where m.organization_id = ${organizationId} and m.user_id = ${userId} for update of m),
        ${revokedAccess({ organizationId, userId, at }, fragment`exists (select from held where role <> 'ADMIN')`)},`,
      statement: fragment`
        delete from memberships m using held
        where m.organization_id = held.organization_id and m.user_id = held.user_id and held.role <> 'ADMIN' returning held.email`,
      rowsMax: 1,
      entry: {
        action: 'remove-user',
        targetType: 'User',
        targetId: userId,
        changes: fragment`jsonb_build_object('email', email) || ${revokedCounts}`,
      },
      answer: fragment`select role from held`,
    }),
    ([member]) => {
      if (!member) throw notFound('User');
      if (member.role === 'ADMIN')
        throw new AppError('FORBIDDEN', 'An administrator can not be removed through the API');
    },
  );
  writer.credentialsChanged();
}
