import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { accessOf, isInReachOf, type Person } from './access.ts';
import { type Assistant, assistantColumns, briefAssistantColumns } from './assistant.ts';

/** `isBrief`: where nothing but the fields of `briefAssistant` is asked for. */
type ListAssistants = { person: Person; isBrief?: boolean };

/** Every assistant that this person may run, newest first. */
export function listAssistants(
  { person, isBrief = false }: ListAssistants,
  { database }: { database: Database },
): Promise<Assistant[]> {
  const found = isBrief
    ? fragment`select ${briefAssistantColumns} from assistants a where ${isInReachOf(person)} and`
    : fragment`select ${assistantColumns} from assistants a join (${accessOf(person)}) g on g.assistant_id = a.id where`;
  return database.sql<Assistant>`${found} a.organization_id = ${person.organizationId} order by a.created_at desc, a.id desc`;
}
