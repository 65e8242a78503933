import type { Database } from '../../platform/database/database.ts';

type NameQuery = { organizationId: string; ids: string[] };

/**
 * Returns the current names of these objects of the organization, in the order of the ids; null for
 * an object that no longer exists or has no name.
 */
export async function readNames(
  { organizationId, ids }: NameQuery,
  { database }: { database: Pick<Database, 'sql'> },
): Promise<(string | null)[]> {
  const rows = await database.sql<{ id: string; name: string }>`
    select id, coalesce(nullif(trim("firstName" || ' ' || "lastName"), ''), email) as name
      from members where "organizationId" = ${organizationId} and id = any(${ids})
    union all select id, name from teams where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from api_keys where organization_id = ${organizationId} and id = any(${ids})
    union all select id, email from invitations where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from campaigns where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from links where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from assistants where organization_id = ${organizationId} and id = any(${ids})
    union all select id, original_name from assistant_files where organization_id = ${organizationId} and id = any(${ids})`;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? null);
}
