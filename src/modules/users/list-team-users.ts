import type { Database } from '../../platform/database/database.ts';
import { chooseOrder } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPages } from '../../platform/database/lists/read-pages.ts';
import { anyOf, fragment } from '../../platform/database/sql.ts';
import type { MemberOrder } from './list-members.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';

type ListTeamUsersInput = {
  organizationId: string;
  teamIds: string[];
  search?: string | null | undefined;
  orderBy?: MemberOrder | null | undefined;
};

/**
 * Lists the same page of the users of each team, newest first, with one statement; undefined for a
 * team of another organization.
 */
export async function listTeamUsers(
  { organizationId, teamIds, search, orderBy }: ListTeamUsersInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<(Page<Member> | undefined)[]> {
  const matching = search
    ? fragment`join (${matchingMembers({ organizationId, search, usesListOrder: database.rlsActive })}) matching on matching.user_id = tm.user_id`
    : fragment``;
  const table = fragment`team_memberships tm ${matching}`;
  const list: List = {
    name: 'team-users',
    table,
    alias: fragment`tm`,
    condition: fragment`tm.team_id = owner.id and tm.organization_id = ${organizationId}`,
    // An id begins with the creation time of the account, so the order of the primary key is the
    // order by date.
    order: chooseOrder({ CREATED_AT: [] }, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`tm.user_id`, type: 'text', field: 'id' },
    lookup: fragment`tm.team_id = owner.id and tm.user_id = page_row.row_id`,
    total: search
      ? fragment`(select count(*)::int from ${table} where tm.team_id = t.id)`
      : fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'team.members' and owner_id = t.id)`,
    isReadFromStart: Boolean(search),
    isPlannedEachTime: Boolean(search),
  };
  const joins = fragment`left join lateral (select * from members where "organizationId" = ${organizationId} and id = tm.user_id limit 1) members on true`;
  return readPages<Member>(list, { columns: fragment`members.*`, joins }, request, database, {
    ids: teamIds,
    select: (total) =>
      fragment`select t.id, ${total} as total from teams t where t.id ${anyOf(teamIds)} and t.organization_id = ${organizationId}`,
  });
}
