import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import {
  containsName,
  containsText,
  type Fragment,
  fragment,
} from '../../platform/database/sql.ts';
import {
  type Conversation,
  type ConversationOwner,
  conversationColumns,
  isOwnedBy,
} from './conversation.ts';

/** The texts of this many of the newest conversations are searched; older ones by their title. */
const searchedConversations = 1_000;

const orders = {
  UPDATED_AT: [{ column: fragment`c.updated_at`, type: 'time', field: 'updatedAt' }],
  CREATED_AT: [{ column: fragment`c.created_at`, type: 'time', field: 'createdAt' }],
} as const;

type ListConversationsInput = {
  owner: ConversationOwner;
  assistantId?: string | null | undefined;
  isPinned?: boolean | null | undefined;
  /** Text in the title, a question or an answer. */
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists the conversations of a person, the one with the newest message first. */
export function listConversations(
  { owner, assistantId, isPinned, search, orderBy }: ListConversationsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Conversation>> {
  const condition = fragment`${isOwnedBy(owner)}
    ${assistantId ? fragment`and c.assistant_id = ${assistantId}` : fragment``}
    ${isPinned == null ? fragment`` : fragment`and c.is_pinned = ${isPinned}`}
    ${search ? fragment`and ${contains(owner, search)}` : fragment``}`;
  const list: List = {
    name: 'conversations',
    table: fragment`conversations c`,
    alias: fragment`c`,
    condition,
    order: chooseOrder(orders, orderBy, { field: 'UPDATED_AT', direction: 'DESC' }),
    id: { column: fragment`c.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from conversations c where ${condition})`,
    isPlannedEachTime: Boolean(search),
  };
  return readPage<Conversation>(list, { columns: conversationColumns }, request, database);
}

const contains = (
  { organizationId, userId }: ConversationOwner,
  search: string,
): Fragment => fragment`(
  ${containsName(fragment`c.title`, search)} or c.id in (
    select m.conversation_id from conversation_messages m
    where m.organization_id = ${organizationId} and ${containsText(fragment`m.text`, search)} and m.conversation_id = any(array(
      select newest.id from conversations newest where newest.organization_id = ${organizationId} and newest.user_id = ${userId}
      order by newest.updated_at desc, newest.id desc limit ${searchedConversations}))))`;
