import type { Database } from '../../platform/database/database.ts';

/** Reads the member counts of many teams with one statement, in the order of the ids. */
export async function countTeamMembers(
  teamIds: readonly string[],
  { database }: { database: Database },
): Promise<number[]> {
  const rows = await database.sql<{ teamId: string; count: number }>`
    select owner_id as "teamId", sum(delta)::int as count
    from counter_deltas where counter = 'team.members' and owner_id = any(${teamIds}) group by owner_id`;
  const counts = new Map(rows.map(({ teamId, count }) => [teamId, count]));
  return teamIds.map((teamId) => counts.get(teamId) ?? 0);
}
