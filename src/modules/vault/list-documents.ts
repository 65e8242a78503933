import type { Database } from '../../platform/database/database.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../../platform/database/page.ts';
import { fragment } from '../../platform/database/sql.ts';
import { type AssistantFile, assistantFileColumns } from '../assistant-files/assistant-file.ts';

export type ListedFile = AssistantFile & { assistantName: string };

type ListDocumentsInput = {
  organizationId: string;
  assistantId?: string | null | undefined;
  search?: string | null | undefined;
  page: number;
  pageSize: number;
};

/** The files of all assistants of an organization, or of one, newest first. */
export async function listDocuments(
  { organizationId, assistantId, search, ...pagination }: ListDocumentsInput,
  { database }: { database: Database },
): Promise<Page<ListedFile>> {
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`;
  const assistantFilter = assistantId == null ? fragment`` : fragment`and a.id = ${assistantId}`;
  const nameFilter = search
    ? fragment`and lower(f.original_name) like lower(${pattern})`
    : fragment``;
  // The query starts from the assistants: no index leads to the files of one organization, so a
  // query on the files alone would read those of all organizations.
  const source = fragment`from assistants a join assistant_files f on f.assistant_id = a.id where a.organization_id = ${organizationId} ${assistantFilter} ${nameFilter}`;
  const rows = await database[search ? 'searchSql' : 'sql']<PageRow<ListedFile>>`
    select ${organizationId} as "ownerId", counted.total, f.*
    from (select count(*)::int as total ${source}) counted
    left join lateral (
      select ${assistantFileColumns}, a.name as "assistantName" ${source}
      order by f.created_at desc, f.id desc limit ${pagination.pageSize} offset ${offsetOf(pagination)}) f on true
    order by f."createdAt" desc, f.id desc`;
  const [resultPage] = pagesOf(rows, [organizationId], pagination);
  return resultPage ?? { items: [], total: 0, ...pagination, totalPages: 0 };
}
