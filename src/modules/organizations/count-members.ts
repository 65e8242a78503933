import type { Database } from '../../platform/database/database.ts';

/** Reads the member counts of many organizations with one statement, in the order of the ids. */
export async function countMembers(
  organizationIds: string[],
  { database }: { database: Database },
): Promise<number[]> {
  const rows = await database.sql<{ organizationId: string; count: number }>`
    select owner_id as "organizationId", sum(delta)::int as count
    from counter_deltas where counter = 'organization.members' and owner_id = any(${organizationIds}) group by owner_id`;
  const counts = new Map(rows.map(({ organizationId, count }) => [organizationId, count]));
  return organizationIds.map((organizationId) => counts.get(organizationId) ?? 0);
}
