import type { Database } from '../../platform/database/database.ts';
import { type AssistantFile, assistantFileColumns } from './assistant-file.ts';

type Asked = { organizationId: string; assistantId: string };

/** The files of an assistant, newest first. */
export function listFiles({ organizationId, assistantId }: Asked, { database }: { database: Database }): Promise<AssistantFile[]> {
  return database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f
    where f.assistant_id = ${assistantId} and f.organization_id = ${organizationId} order by f.created_at desc, f.id desc`;
}
