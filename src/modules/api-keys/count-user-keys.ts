import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type UserKeyCountQuery = { organizationId: string; userIds: string[] };

/** Returns the number of valid keys of each of these members, in the order of the ids. */
export async function countUserKeys(
  { organizationId, userIds }: UserKeyCountQuery,
  { database, clock }: { database: Database; clock: Clock },
): Promise<number[]> {
  const rows = await database.sql<{ userId: string; count: number }>`
    select user_id as "userId", count(*)::int as count from api_keys
    where organization_id = ${organizationId} and user_id = any(${userIds}) and revoked_at is null and (expires_at is null or expires_at > ${clock()})
    group by user_id`;
  const counts = new Map(rows.map(({ userId, count }) => [userId, count]));
  return userIds.map((userId) => counts.get(userId) ?? 0);
}
