import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { type AssistantFile, assistantFileColumns } from '../assistant-files/assistant-file.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../sponsorship/page.ts';

export type ListedFile = AssistantFile & { assistantName: string };

type Asked = {
  organizationId: string;
  assistantId?: string | null | undefined;
  search?: string | null | undefined;
  page: number;
  pageSize: number;
};

/** The files of all assistants of an organization, or of one, newest first. */
export async function listDocuments(
  { organizationId, assistantId, search, ...asked }: Asked,
  { database }: { database: Database },
): Promise<Page<ListedFile>> {
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`;
  const ofAssistant = assistantId == null ? fragment`` : fragment`and a.id = ${assistantId}`;
  const matching = search
    ? fragment`and lower(f.original_name) like lower(${pattern})`
    : fragment``;
  // By way of the assistants: files of one organization have no index of their own, and those of
  // all would be looked at.
  const wanted = fragment`from assistants a join assistant_files f on f.assistant_id = a.id where a.organization_id = ${organizationId} ${ofAssistant} ${matching}`;
  const rows = await database[search ? 'searchSql' : 'sql']<PageRow<ListedFile>>`
    select ${organizationId} as "ownerId", asked.total, f.*
    from (select count(*)::int as total ${wanted}) asked
    left join lateral (
      select ${assistantFileColumns}, a.name as "assistantName" ${wanted}
      order by f.created_at desc, f.id desc limit ${asked.pageSize} offset ${offsetOf(asked)}) f on true
    order by f."createdAt" desc, f.id desc`;
  const [found] = pagesOf(rows, [organizationId], asked);
  return found ?? { items: [], total: 0, ...asked, totalPages: 0 };
}
