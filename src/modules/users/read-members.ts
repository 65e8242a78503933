import type { Database } from '../../platform/database/database.ts';
import type { Member } from './member.ts';

type ReadMembersInput = { organizationId: string; userIds: string[] };

/** Reads users of this organization in the order of the ids; null for anyone else. */
export async function readMembers(
  { organizationId, userIds }: ReadMembersInput,
  { database }: { database: Database },
): Promise<(Member | null)[]> {
  const rows =
    await database.sql<Member>`select * from members where "organizationId" = ${organizationId} and id = any(${userIds})`;
  const members = new Map(rows.map((member) => [member.id, member]));
  return userIds.map((userId) => members.get(userId) ?? null);
}
