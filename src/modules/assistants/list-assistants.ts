import type { Database } from '../../platform/database/database.ts';
import { accessOf, type Person } from './access.ts';
import { type Assistant, assistantColumns } from './assistant.ts';

/** Every assistant that this person may run, newest first. */
export function listAssistants({ person }: { person: Person }, { database }: { database: Database }): Promise<Assistant[]> {
  return database.sql<Assistant>`
    select ${assistantColumns} from assistants a join (${accessOf(person)}) g on g.assistant_id = a.id
    where a.organization_id = ${person.organizationId} order by a.created_at desc, a.id desc`;
}
