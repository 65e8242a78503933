import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Member } from './member.ts';

/** Reads a user of this organization; throws NOT_FOUND for anyone else. */
export async function readMember(
  { organizationId, userId }: { organizationId: string; userId: string },
  { database }: { database: Database },
): Promise<Member> {
  const [member] =
    await database.sql<Member>`select * from members where "organizationId" = ${organizationId} and id = ${userId}`;
  if (!member) throw notFound('User');
  return member;
}
