import type { Database } from '../../platform/database/database.ts';
import { isAccessibleTo, type Person } from '../assistants/access.ts';
import { type AssistantFile, assistantFileColumns } from './assistant-file.ts';

/**
 * Reads the files of all assistants that this person may view, in the order of the ids; null for
 * any other.
 */
export async function readFiles(
  { ids, person }: { ids: readonly string[]; person: Person },
  { database }: { database: Database },
): Promise<(AssistantFile | null)[]> {
  const rows = await database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f join assistants a on a.id = f.assistant_id
    where f.id = any(${ids}) and f.organization_id = ${person.organizationId} and ${isAccessibleTo(person)}`;
  const files = new Map(rows.map((file) => [file.id, file]));
  return ids.map((id) => files.get(id) ?? null);
}
