import type { Database } from '../../platform/database/database.ts';
import { offsetOf, type Page, type PageInput, toPage } from '../../platform/database/page.ts';
import { fragment } from '../../platform/database/sql.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';
import { readMembers } from './read-members.ts';

type ListTeamUsersInput = PageInput & {
  organizationId: string;
  teamIds: string[];
  search?: string | null | undefined;
};
type TeamUserIds = { teamId: string; total: number; userIds: string[] };

/**
 * Lists the same page of the users of each team, newest first, in the order of the ids; undefined
 * for a team of another organization. Two statements serve all teams.
 */
export async function listTeamUsers(
  { organizationId, teamIds, page, pageSize, search }: ListTeamUsersInput,
  { database }: { database: Database },
): Promise<(Page<Member> | undefined)[]> {
  const offset = offsetOf({ page, pageSize });
  const matching = search
    ? fragment`join (${matchingMembers({ organizationId, search, usesListOrder: database.rlsActive })}) matching on matching.user_id = tm.user_id`
    : fragment``;
  const total = search
    ? fragment`(select count(*)::int from team_memberships tm ${matching} where tm.team_id = t.id)`
    : fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'team.members' and owner_id = t.id)`;
  // An id begins with the creation time of the account, so the order of the primary key is the
  // order by date.
  const teams = await database[search ? 'searchSql' : 'sql']<TeamUserIds>`
    select t.id as "teamId", ${total} as total, array(
      select tm.user_id from team_memberships tm ${matching} where tm.team_id = t.id and tm.organization_id = ${organizationId}
      order by tm.user_id desc limit ${pageSize} offset ${offset}) as "userIds"
    from teams t where t.id = any(${teamIds}) and t.organization_id = ${organizationId}`;
  const members = new Map<string, Member>();
  for (const member of await readMembers(
    { organizationId, userIds: teams.flatMap(({ userIds }) => userIds) },
    { database },
  )) {
    if (member) members.set(member.id, member);
  }
  const teamsById = new Map(teams.map((team) => [team.teamId, team]));
  return teamIds.map((teamId) => {
    const team = teamsById.get(teamId);
    if (!team) return undefined;
    const items = team.userIds.flatMap((id) => members.get(id) ?? []);
    return toPage(items, team.total, { page, pageSize });
  });
}
