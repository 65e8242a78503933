import type { Database } from '../../platform/database/database.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantFor, requireLevel } from '../assistants/require-assistant.ts';
import { type AssistantFile, assistantFileColumns, briefFileColumns } from './assistant-file.ts';

/** `isBrief`: where nothing but the fields of `briefFile` is asked for. */
type Asked = { assistantId: string; person: Person; isBrief?: boolean };
/** An assistant without files has one row, of which only the level is there. */
type Row = { level: AccessLevel | null } & (AssistantFile | { id: null });

/** The files of an assistant that this person may see, newest first. */
export async function listFiles(
  { assistantId, person, isBrief = false }: Asked,
  { database }: { database: Database },
): Promise<AssistantFile[]> {
  const rows = await database.sql<Row>`
    select a.level, ${isBrief ? briefFileColumns : assistantFileColumns}
    from ${assistantFor({ assistantId, person })} left join assistant_files f on f.assistant_id = a.id and f.organization_id = a.organization_id
    order by f.created_at desc, f.id desc`;
  requireLevel(rows[0], 'VIEW');
  return rows.filter((row) => row.id !== null);
}
