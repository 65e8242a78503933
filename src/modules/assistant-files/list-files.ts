import type { Database } from '../../platform/database/database.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantWithLevel, requireLevel } from '../assistants/require-assistant.ts';
import { type AssistantFile, assistantFileColumns, briefFileColumns } from './assistant-file.ts';

/** `isBrief`: the caller selects only fields of `briefFile`. */
type ListFilesInput = { assistantId: string; person: Person; isBrief?: boolean };
/** An assistant without files gives one row, with the level and an `id` of null. */
type FileRow = { level: AccessLevel | null } & (AssistantFile | { id: null });

/** The files of an assistant, newest first. The person must be allowed to view the assistant. */
export async function listFiles(
  { assistantId, person, isBrief = false }: ListFilesInput,
  { database }: { database: Database },
): Promise<AssistantFile[]> {
  const rows = await database.sql<FileRow>`
    select a.level, ${isBrief ? briefFileColumns : assistantFileColumns}
    from ${assistantWithLevel({ assistantId, person })} left join assistant_files f on f.assistant_id = a.id and f.organization_id = a.organization_id
    order by f.created_at desc, f.id desc`;
  requireLevel(rows[0], 'VIEW');
  return rows.filter((row) => row.id !== null);
}
