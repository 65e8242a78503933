import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import type { AuditClient } from '../audit/audit-client.ts';
import type { ConversationOwner } from './conversation.ts';
import type { DeletedConversations } from './delete-conversations.ts';

/**
 * The common table expression `ended_conversations`: what is deleted with the membership of a person.
 * The foreign key deletes it, and a trigger lets the file processor remove the attachments.
 */
export const endedConversations = ({
  organizationId,
  userId,
}: ConversationOwner): Fragment => fragment`
  ended_conversations as (
    select count(*)::int as conversations, coalesce(sum(c.message_count), 0)::int as messages, (
      select count(*)::int from conversation_attachments a join conversations o on o.id = a.conversation_id
      where o.organization_id = ${organizationId} and o.user_id = ${userId}) as attachments
    from conversations c where c.organization_id = ${organizationId} and c.user_id = ${userId})`;

/** The same numbers for the audit log; nothing if there were no conversations. */
export const endedCounts = fragment`(
  select case when conversations = 0 then '{}' else jsonb_build_object('deletedConversations', to_jsonb(ended_conversations)) end
  from ended_conversations)`;

/** Reads the same numbers in a transaction of its caller. */
export async function countEnded(
  owner: ConversationOwner,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<{ deletedConversations?: DeletedConversations }> {
  const [row] = await sql<{ counts: { deletedConversations?: DeletedConversations } }>`
    with ${endedConversations(owner)} select ${endedCounts} as counts`;
  return row?.counts ?? {};
}

type AccountDeletion = {
  userId: string;
  client: AuditClient;
  requestId: string | null;
  at: Date;
};

const organizationsMax = 1_000;

/**
 * Records in each organization how many conversations are deleted with an account. Runs without
 * tenant scope, because the organizations of a person are several.
 */
export function recordEndedOfAccount(
  { userId, client, requestId, at }: AccountDeletion,
  tx: Pick<Transaction, 'enqueue'>,
): void {
  const ids = Array.from({ length: organizationsMax }, () => newId(at.getTime()));
  tx.enqueue`
    insert into audit_entries (id, organization_id, at, actor_kind, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
    select (${ids}::text[])[row_number() over ()], ended.organization_id, ${at}::timestamptz, 'SESSION', ${userId}, 'erase-conversations', 'User', ${userId},
      jsonb_build_object('conversations', ended.conversations, 'messages', ended.messages, 'attachments', ended.attachments),
      ${requestId}, ${client.network}, ${client.device}
    from (
      select c.organization_id, count(*) as conversations, sum(c.message_count) as messages,
        sum((select count(*) from conversation_attachments a where a.conversation_id = c.id)) as attachments
      from conversations c where c.user_id = ${userId} group by c.organization_id limit ${organizationsMax}::int) ended`;
}
