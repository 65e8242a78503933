import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../platform/database/sql.ts';
import {
  type AssistantFile,
  assistantFileColumns,
  type ProcessingStatus,
} from '../assistant-files/assistant-file.ts';

export type ListedFile = AssistantFile & { assistantName: string };

type ListDocumentsInput = {
  organizationId: string;
  assistantId?: string | null | undefined;
  status?: ProcessingStatus | null | undefined;
  search?: string | null | undefined;
  orderBy?: OrderInput<'CREATED_AT'> | null | undefined;
};

/** Lists the files of all assistants of an organization, or of one, newest first. */
export function listDocuments(
  { organizationId, assistantId, status, search, orderBy }: ListDocumentsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<ListedFile>> {
  const condition = fragment`f.organization_id = ${organizationId}
    ${assistantId == null ? fragment`` : fragment`and f.assistant_id = ${assistantId}`}
    ${status ? fragment`and f.status = ${status}::processing_status` : fragment``}
    ${search ? fragment`and ${containsName(fragment`f.original_name`, search)}` : fragment``}`;
  const list: List = {
    name: 'documents',
    table: fragment`assistant_files f`,
    alias: fragment`f`,
    condition,
    order: chooseOrder(
      { CREATED_AT: [{ column: fragment`f.created_at`, type: 'time' }] },
      orderBy,
      {
        field: 'CREATED_AT',
        direction: 'DESC',
      },
    ),
    id: { column: fragment`f.id`, type: 'text' },
    total: fragment`(select count(*)::int from assistant_files f where ${condition})`,
    isPlannedEachTime: Boolean(assistantId || status || search),
  };
  const columns = fragment`${assistantFileColumns}, a.name as "assistantName"`;
  const joins = fragment`left join assistants a on a.id = f.assistant_id`;
  return readPage<ListedFile>(list, { columns, joins }, request, database);
}
