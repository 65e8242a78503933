import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { accessOf, type Person } from './access.ts';
import { type AssistantVersion, versionColumns } from './assistant-version.ts';
import { requireAssistant } from './require-assistant.ts';

/** Finds a version of an assistant that the person may change. */
export async function requireVersion(
  { assistantId, number, person }: { assistantId: string; number: number; person: Person },
  { database }: { database: Database },
): Promise<AssistantVersion> {
  await requireAssistant({ assistantId, person, level: 'EDIT' }, { database });
  const [version] = await database.sql<AssistantVersion>`
    select ${versionColumns} from assistant_versions v
    where v.assistant_id = ${assistantId} and v.organization_id = ${person.organizationId} and v.number = ${number}::int`;
  if (!version) throw notFound('Version');
  return version;
}

/**
 * Reads versions of assistants that the person may change, in the order of the ids; null for any
 * other.
 */
export async function readVersions(
  { ids, person }: { ids: readonly string[]; person: Person },
  { database }: { database: Database },
): Promise<(AssistantVersion | null)[]> {
  const rows = await database.sql<AssistantVersion>`
    select ${versionColumns} from assistant_versions v
    join (${accessOf(person)}) g on g.assistant_id = v.assistant_id and g.level in ('EDIT', 'OWNER')
    where v.id = any(${ids}) and v.organization_id = ${person.organizationId}`;
  const versions = new Map(rows.map((version) => [version.id, version]));
  return ids.map((id) => versions.get(id) ?? null);
}
