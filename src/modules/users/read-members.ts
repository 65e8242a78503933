import type { Database } from '../../platform/database/database.ts';
import type { Member } from './member.ts';

type ReadMembersInput = { organizationId: string; userIds: string[] };

/**
 * Reads users of this organization in the order of the ids; null for anyone else. `limit 1` makes
 * Postgres look each of them up by its index, however many members the organization has.
 */
export async function readMembers(
  { organizationId, userIds }: ReadMembersInput,
  { database }: { database: Database },
): Promise<(Member | null)[]> {
  const rows = await database.sql<Member>`
    select member.* from (select distinct unnest(${userIds}::text[]) as id) wanted
    cross join lateral (
      select * from members where "organizationId" = ${organizationId} and id = wanted.id limit 1) member`;
  const members = new Map(rows.map((member) => [member.id, member]));
  return userIds.map((userId) => members.get(userId) ?? null);
}
