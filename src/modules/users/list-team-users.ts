import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { MemberPage } from './list-members.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';
import { readMembers } from './read-members.ts';

type ListTeamUsers = {
  organizationId: string;
  teamIds: string[];
  page: number;
  pageSize: number;
  search?: string | null | undefined;
};
type Found = { teamId: string; total: number; userIds: string[] };

/**
 * The same page of each of these teams, newest users first, in the order of the ids: two statements
 * for all of them.
 */
export async function listTeamUsers(
  { organizationId, teamIds, page, pageSize, search }: ListTeamUsers,
  { database }: { database: Database },
): Promise<MemberPage[]> {
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const matching = search
    ? fragment`join (${matchingMembers({ organizationId, search, isInOrder: database.rlsActive })}) found on found.user_id = tm.user_id`
    : fragment``;
  const total = search
    ? fragment`(select count(*)::int from team_memberships tm ${matching} where tm.team_id = asked.id)`
    : fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'team.members' and owner_id = asked.id)`;
  // Ids begin with the time of the account, so their order is that of the dates, and the primary
  // key has it ready.
  const found = await database[search ? 'searchSql' : 'sql']<Found>`
    select asked.id as "teamId", ${total} as total, array(
      select tm.user_id from team_memberships tm ${matching} where tm.team_id = asked.id and tm.organization_id = ${organizationId}
      order by tm.user_id desc limit ${pageSize} offset ${offset}) as "userIds"
    from unnest(${teamIds}::text[]) as asked (id)`;
  const members = new Map<string, Member>();
  for (const member of await readMembers(
    { organizationId, userIds: found.flatMap(({ userIds }) => userIds) },
    { database },
  )) {
    if (member) members.set(member.id, member);
  }
  const pageOf = ({ total, userIds }: Found): MemberPage => {
    const items = userIds.flatMap((id) => members.get(id) ?? []);
    return { items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
  };
  const pages = new Map(found.map((team) => [team.teamId, pageOf(team)]));
  return teamIds.map(
    (teamId) => pages.get(teamId) ?? { items: [], total: 0, page, pageSize, totalPages: 0 },
  );
}
