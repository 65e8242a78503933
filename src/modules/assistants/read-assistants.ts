import type { Database } from '../../platform/database/database.ts';
import { accessOf, type Person } from './access.ts';
import { type Assistant, assistantColumns } from './assistant.ts';

/** Reads the assistants that this person may run, in the order of the ids; null for any other. */
export async function readAssistants(
  { ids, person }: { ids: readonly string[]; person: Person },
  { database }: { database: Database },
): Promise<(Assistant | null)[]> {
  const rows = await database.sql<Assistant>`
    select ${assistantColumns} from assistants a join (${accessOf(person)}) g on g.assistant_id = a.id
    where a.id = any(${ids}) and a.organization_id = ${person.organizationId}`;
  const assistants = new Map(rows.map((assistant) => [assistant.id, assistant]));
  return ids.map((id) => assistants.get(id) ?? null);
}
