import type { Database } from '../../platform/database/database.ts';
import { changesSince } from '../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../platform/database/sql.ts';
import { accessOf, changedFor, isAccessibleTo, type Person } from './access.ts';
import { type Assistant, assistantColumns, briefAssistantColumns } from './assistant.ts';
import { isFavoriteOf } from './favorites.ts';

const orders = {
  CREATED_AT: [{ column: fragment`a.created_at`, type: 'time', field: 'createdAt' }],
  NAME: [{ column: fragment`lower(a.name)`, type: 'text' }],
} as const;

type ListAssistantsInput = {
  person: Person;
  updatedSince?: Date | null | undefined;
  search?: string | null | undefined;
  isFavorite?: boolean | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
  /** True if the caller selects only fields of `briefAssistant`. */
  isBrief?: boolean;
};

/** Lists the assistants that this person may run, newest first. */
export function listAssistants(
  { person, search, isFavorite, updatedSince, orderBy, isBrief = false }: ListAssistantsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Assistant>> {
  const changes = changesSince({ updatedSince, orderBy }, changedFor(person));
  const condition = fragment`${isAccessibleTo(person)} and a.organization_id = ${person.organizationId} ${changes.condition}
    ${search ? fragment`and ${containsName(fragment`a.name`, search)}` : fragment``}
    ${isFavorite == null ? fragment`` : fragment`and ${isFavoriteOf(person)} = ${isFavorite}`}`;
  const list: List = {
    name: 'assistants',
    table: fragment`assistants a`,
    alias: fragment`a`,
    condition,
    order:
      changes.order ?? chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`a.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from assistants a where ${condition})`,
    isPlannedEachTime: Boolean(search),
  };
  if (isBrief)
    return readPage<Assistant>(list, { columns: briefAssistantColumns }, request, database);
  // For a page, the access level of each assistant is looked up alone.
  const joins =
    request.size === undefined
      ? fragment`left join (${accessOf(person)}) g on g.assistant_id = a.id`
      : fragment`left join lateral (select level from (${accessOf(person)}) granted where assistant_id = a.id) g on true`;
  return readPage<Assistant>(list, { columns: assistantColumns, joins }, request, database);
}
