import { fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { revokedAccess, revokedCounts } from '../api-keys/revoke-created-access.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import { endedConversations, endedCounts } from '../conversations/end-conversations.ts';

/**
 * Deletes a membership and revokes the keys and invitations that the person created as an
 * administrator. The account stays. Foreign keys delete the person's team memberships and own keys
 * in the organization, so that nothing of the membership remains.
 */
export async function removeUser({ userId }: { userId: string }, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await changeRows<{ role: string }, void>(
    writer,
    (at) => ({
      before: fragment`locked as (
        select m.organization_id, m.user_id, m.role, u.email from memberships m join users u on u.id = m.user_id
        where m.organization_id = ${organizationId} and m.user_id = ${userId} for update of m),
        ${endedConversations({ organizationId, userId })}, ${revokedAccess({ organizationId, userId, at }, fragment`exists (select from locked where role <> 'ADMIN')`)},`,
      statement: fragment`
        delete from memberships m using locked
        where m.organization_id = locked.organization_id and m.user_id = locked.user_id and locked.role <> 'ADMIN' returning locked.email`,
      rowsMax: 1,
      entry: {
        action: 'remove-user',
        targetType: 'User',
        targetId: userId,
        changes: fragment`jsonb_build_object('email', email) || ${revokedCounts} || ${endedCounts}`,
      },
      answer: fragment`select role from locked`,
    }),
    ([member]) => {
      if (!member) throw notFound('User');
      if (member.role === 'ADMIN')
        throw new AppError(
          'FORBIDDEN',
          'An administrator can not be removed through the API',
          'ADMINISTRATOR_KEPT',
        );
    },
  );
  writer.credentialsChanged();
}
