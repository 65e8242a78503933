import type { Database } from '../../platform/database/database.ts';
import { type AssistantFile, assistantFileColumns } from './assistant-file.ts';

type Asked = { organizationId: string; assistantIds: string[] };

/** The files of many assistants at once, newest first, in the order of the ids. */
export async function listFilesOfMany({ organizationId, assistantIds }: Asked, { database }: { database: Database }): Promise<AssistantFile[][]> {
  const files = await database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f
    where f.assistant_id = any(${assistantIds}) and f.organization_id = ${organizationId} order by f.created_at desc, f.id desc`;
  const byAssistant = Map.groupBy(files, ({ assistantId }) => assistantId);
  return assistantIds.map((assistantId) => byAssistant.get(assistantId) ?? []);
}
