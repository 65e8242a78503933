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
    union all select distinct r.user_id, coalesce(r.user_email, u.email)
      from redemptions r join users u on u.id = r.user_id
      where r.organization_id = ${organizationId} and r.user_id = any(${ids})
        and not exists (select from members m where m."organizationId" = ${organizationId} and m.id = r.user_id)
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
