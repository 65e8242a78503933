import type { Database } from '../../platform/database/database.ts';
import { accessOf, type Person } from '../assistants/access.ts';
import { type AssistantFile, assistantFileColumns } from './assistant-file.ts';

export type UnfinishedFiles = {
  working: number;
  failed: number;
  files: (AssistantFile & { assistantName: string })[];
};

/** The list has at most this many files; `working` and `failed` count all of them. */
const filesMax = 10;

/**
 * The files that runs cannot search yet, of all assistants that this person has access to: first
 * the files that failed, then those that wait or are processed, each newest first.
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
