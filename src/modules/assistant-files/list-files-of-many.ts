import type { Database } from '../../platform/database/database.ts';
import { type AssistantFile, assistantFileColumns, briefFileColumns } from './assistant-file.ts';

/** `isBrief`: where nothing but the fields of `briefFile` is asked for. */
type Asked = { organizationId: string; assistantIds: string[]; isBrief: boolean };

/** The files of many assistants at once, newest first, in the order of the ids. */
export async function listFilesOfMany(
  { organizationId, assistantIds, isBrief }: Asked,
  { database }: { database: Database },
): Promise<AssistantFile[][]> {
  const files = await database.sql<AssistantFile>`
    select f.assistant_id as "assistantId", ${isBrief ? briefFileColumns : assistantFileColumns} from assistant_files f
    where f.assistant_id = any(${assistantIds}) and f.organization_id = ${organizationId} order by f.created_at desc, f.id desc`;
  const byAssistant = Map.groupBy(files, ({ assistantId }) => assistantId);
  return assistantIds.map((assistantId) => byAssistant.get(assistantId) ?? []);
}
