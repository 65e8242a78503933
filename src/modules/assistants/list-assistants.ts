import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { accessOf, isAccessibleTo, type Person } from './access.ts';
import { type Assistant, assistantColumns, briefAssistantColumns } from './assistant.ts';

/** `isBrief`: the caller selects only fields of `briefAssistant`. */
type ListAssistantsInput = { person: Person; isBrief?: boolean };

/** Every assistant that this person may run, newest first. */
export function listAssistants(
  { person, isBrief = false }: ListAssistantsInput,
  { database }: { database: Database },
): Promise<Assistant[]> {
  const matching = isBrief
    ? fragment`select ${briefAssistantColumns} from assistants a where ${isAccessibleTo(person)} and`
    : fragment`select ${assistantColumns} from assistants a join (${accessOf(person)}) g on g.assistant_id = a.id where`;
  return database.sql<Assistant>`${matching} a.organization_id = ${person.organizationId} order by a.created_at desc, a.id desc`;
}
