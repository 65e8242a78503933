import type { Database } from '../../platform/database/database.ts';
import { changesSince } from '../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readCheckedPage, readPages } from '../../platform/database/lists/read-pages.ts';
import { anyOf, containsName, type Fragment, fragment } from '../../platform/database/sql.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantWithLevel, requireLevel } from '../assistants/require-assistant.ts';
import {
  type AssistantFile,
  assistantFileColumns,
  briefFileColumns,
  type ProcessingStatus,
} from './assistant-file.ts';

const orders = {
  CREATED_AT: [{ column: fragment`f.created_at`, type: 'time', field: 'createdAt' }],
  NAME: [{ column: fragment`lower(f.original_name)`, type: 'text' }],
} as const;

type FileFilter = {
  status?: ProcessingStatus | null | undefined;
  updatedSince?: Date | null | undefined;
  /** Text in the name. */
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
  /** True if the caller selects only fields of `briefFile`. */
  isBrief?: boolean;
};

/** Lists the files of an assistant that the person may view, newest first. */
export function listFiles(
  { assistantId, person, ...filter }: FileFilter & { assistantId: string; person: Person },
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<AssistantFile>> {
  const list = fileList(person.organizationId, filter);
  return readCheckedPage<AssistantFile, { level: AccessLevel | null }>(
    list,
    { columns: columnsOf(filter) },
    request,
    database,
    {
      columns: fragment`owner.level`,
      select: (total) =>
        fragment`select a.id, a.level, ${total} as total from ${assistantWithLevel({ assistantId, person })}`,
      check: (assistant) => requireLevel(assistant, 'VIEW'),
    },
  );
}

/** Lists the same page of the files of several assistants with one statement. */
export function listFilesOfMany(
  {
    organizationId,
    assistantIds,
    ...filter
  }: FileFilter & { organizationId: string; assistantIds: string[] },
  request: PageRequest,
  { database }: { database: Database },
): Promise<(Page<AssistantFile> | undefined)[]> {
  const list = fileList(organizationId, filter);
  return readPages<AssistantFile>(list, { columns: columnsOf(filter) }, request, database, {
    ids: assistantIds,
    select: (total) =>
      fragment`select a.id, ${total} as total from assistants a where a.id ${anyOf(assistantIds)} and a.organization_id = ${organizationId}`,
  });
}

const columnsOf = ({ isBrief }: FileFilter): Fragment =>
  isBrief ? briefFileColumns : assistantFileColumns;

/** The files of the assistant `owner`, which is `a` for the total. */
function fileList(
  organizationId: string,
  { status, search, orderBy, updatedSince }: FileFilter,
): List {
  const changes = changesSince({ updatedSince, orderBy }, fragment`f.updated_at`);
  const filter = fragment`
    ${changes.condition}
    ${status ? fragment`and f.status = ${status}::processing_status` : fragment``}
    ${search ? fragment`and ${containsName(fragment`f.original_name`, search)}` : fragment``}`;
  return {
    name: 'files',
    table: fragment`assistant_files f`,
    alias: fragment`f`,
    condition: fragment`f.assistant_id = owner.id and f.organization_id = ${organizationId} ${filter}`,
    order:
      changes.order ?? chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`f.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from assistant_files f where f.assistant_id = a.id ${filter})`,
    isPlannedEachTime: Boolean(status || search),
  };
}
