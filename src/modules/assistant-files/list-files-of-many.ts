import type { Database } from '../../platform/database/database.ts';
import { type AssistantFile, assistantFileColumns, briefFileColumns } from './assistant-file.ts';

/** `isBrief`: the caller selects only fields of `briefFile`. */
type ListFilesInput = { organizationId: string; assistantIds: string[]; isBrief: boolean };

/**
 * The files of several assistants in one query: one list per id, in the order of the ids, each list
 * newest first.
 */
export async function listFilesOfMany(
  { organizationId, assistantIds, isBrief }: ListFilesInput,
  { database }: { database: Database },
): Promise<AssistantFile[][]> {
  const files = await database.sql<AssistantFile>`
    select f.assistant_id as "assistantId", ${isBrief ? briefFileColumns : assistantFileColumns} from assistant_files f
    where f.assistant_id = any(${assistantIds}) and f.organization_id = ${organizationId} order by f.created_at desc, f.id desc`;
  const byAssistant = Map.groupBy(files, ({ assistantId }) => assistantId);
  return assistantIds.map((assistantId) => byAssistant.get(assistantId) ?? []);
}
