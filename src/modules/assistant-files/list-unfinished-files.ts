import type { Database } from '../../platform/database/database.ts';
import { accessOf, type Person } from '../assistants/access.ts';
import { type AssistantFile, assistantFileColumns } from './assistant-file.ts';

export type UnfinishedFiles = {
  working: number;
  failed: number;
  files: (AssistantFile & { assistantName: string })[];
};

/** As many as one looks at; all are counted. */
const filesMax = 10;

/**
 * The files on assistants of this person that can not be searched: those that failed first, then
 * those that are worked on, newest first.
 */
export async function listUnfinishedFiles(
  { person }: { person: Person },
  { database }: { database: Database },
): Promise<UnfinishedFiles> {
  const rows = await database.sql<
    UnfinishedFiles['files'][number] & { allWorking: number; allFailed: number }
  >`
    select ${assistantFileColumns}, a.name as "assistantName",
      (count(*) filter (where f.status <> 'FAILED') over ())::int as "allWorking", (count(*) filter (where f.status = 'FAILED') over ())::int as "allFailed"
    from (${accessOf(person)}) g join assistants a on a.id = g.assistant_id join assistant_files f on f.assistant_id = a.id
    where a.organization_id = ${person.organizationId} and f.status <> 'COMPLETED'
    order by f.status <> 'FAILED', f.created_at desc, f.id desc limit ${filesMax}`;
  const [{ allWorking: working, allFailed: failed } = { allWorking: 0, allFailed: 0 }] = rows;
  return { working, failed, files: rows };
}
