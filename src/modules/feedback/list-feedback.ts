import type { Database } from '../../platform/database/database.ts';
import type { FeedbackMark } from '../../platform/database/generated/client.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readCheckedPage } from '../../platform/database/lists/read-pages.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantWithLevel, requireLevel } from '../assistants/require-assistant.ts';
import { type ReceivedFeedback, receivedColumns } from './feedback.ts';

const orders = {
  GIVEN_ON: [{ column: fragment`f.given_on`, type: 'time', field: 'givenOn' }],
} as const;

type ListFeedbackInput = {
  assistantId: string;
  person: Person;
  mark?: FeedbackMark | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists the feedback on an assistant that the person may change, newest first. */
export function listFeedback(
  { assistantId, person, mark, orderBy }: ListFeedbackInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<ReceivedFeedback>> {
  const isMarked = mark ? fragment`and f.mark = ${mark}::feedback_mark` : fragment``;
  const conditionOf = (owner: typeof isMarked) =>
    fragment`f.assistant_id = ${owner}.id and f.organization_id = ${person.organizationId} ${isMarked}`;
  const list: List = {
    name: 'assistant feedback',
    table: fragment`answer_feedback f`,
    alias: fragment`f`,
    condition: conditionOf(fragment`owner`),
    order: chooseOrder(orders, orderBy, { field: 'GIVEN_ON', direction: 'DESC' }),
    id: { column: fragment`f.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from answer_feedback f where ${conditionOf(fragment`a`)})`,
  };
  return readCheckedPage<ReceivedFeedback, { level: AccessLevel | null }>(
    list,
    { columns: receivedColumns },
    request,
    database,
    {
      columns: fragment`owner.level`,
      select: (total) =>
        fragment`select a.id, a.level, ${total} as total from ${assistantWithLevel({ assistantId, person })}`,
      check: (assistant) => requireLevel(assistant, 'EDIT'),
    },
  );
}
