import type { Database } from '../../platform/database/database.ts';
import type { Member } from './member.ts';

type ReadMembers = { organizationId: string; userIds: string[] };

/** These users of this organization, in the order of the ids; null for everybody else. */
export async function readMembers(
  { organizationId, userIds }: ReadMembers,
  { database }: { database: Database },
): Promise<(Member | null)[]> {
  const rows =
    await database.sql<Member>`select * from members where "organizationId" = ${organizationId} and id = any(${userIds})`;
  const members = new Map(rows.map((member) => [member.id, member]));
  return userIds.map((userId) => members.get(userId) ?? null);
}
