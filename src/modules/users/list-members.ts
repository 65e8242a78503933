import type { Database } from '../../platform/database/database.ts';
import { changesSince } from '../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { hasOffset, type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';

export type MemberOrder = OrderInput<'CREATED_AT'>;

type MemberFilter = {
  organizationId: string;
  updatedSince?: Date | null | undefined;
  search?: string | null | undefined;
  role?: 'ADMIN' | 'MEMBER' | null | undefined;
  /** Only the users of this team. */
  teamId?: string | null | undefined;
};
type ListMembersInput = MemberFilter & { orderBy?: MemberOrder | null | undefined };

// If more members than this match a text, a scan in the order of the list soon fills a page. Fewer
// matches are looked up in the index and sorted.
const rareMax = 1_000;

/** Lists users of an organization, newest first. Triggers maintain the total of all. */
export async function listMembers(
  { orderBy, ...filter }: ListMembersInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Member>> {
  const { organizationId, search, updatedSince } = filter;
  const changes = changesSince({ updatedSince, orderBy }, updatedAt);
  const order = (createdAt: Fragment) =>
    chooseOrder(
      { CREATED_AT: [{ column: createdAt, type: 'time', field: 'createdAt' }] },
      orderBy,
      {
        field: 'CREATED_AT',
        direction: 'DESC',
      },
    );
  if (hasOffset(request) || search || filter.role || filter.teamId || updatedSince) {
    const list: List = {
      name: 'users',
      table: fragment`memberships m`,
      alias: fragment`m`,
      condition: fragment`m.organization_id = ${organizationId} ${conditionsOf(filter)}`,
      order: changes.order ?? order(fragment`m.user_created_at`),
      id: { column: fragment`m.user_id`, type: 'text', field: 'id' },
      lookup: fragment`m.organization_id = ${organizationId} and m.user_id = page_row.row_id`,
      total: totalOf(filter),
      isPlannedEachTime: Boolean(filter.role || filter.teamId || updatedSince),
      ...(search && (await searchIn(filter, search, request, database))),
    };
    // The limit makes Postgres look up each row of the page, and collect its teams, by its id.
    const joins = fragment`left join lateral (select * from members where "organizationId" = ${organizationId} and id = m.user_id limit 1) members on true`;
    return readPage<Member>(list, { columns: fragment`members.*`, joins }, request, database);
  }
  const list: List = {
    name: 'users',
    table: fragment`members`,
    alias: fragment`members`,
    condition: fragment`members."organizationId" = ${organizationId}`,
    order: order(fragment`members."createdAt"`),
    id: { column: fragment`members.id`, type: 'text', field: 'id' },
    total: totalOf(filter),
  };
  return readPage<Member>(list, { columns: fragment`members.*` }, request, database);
}

const updatedAt = fragment`m.updated_at`;

const conditionsOf = ({ organizationId, role, teamId, updatedSince }: MemberFilter) => fragment`
  ${changesSince({ updatedSince }, updatedAt).condition}
  ${role ? fragment`and m.role = ${role}::role` : fragment``}
  ${teamId ? fragment`and exists (select from team_memberships tm where tm.team_id = ${teamId} and tm.organization_id = ${organizationId} and tm.user_id = m.user_id)` : fragment``}`;

const totalOf = (filter: MemberFilter): Fragment =>
  filter.role || filter.teamId || filter.updatedSince
    ? fragment`(select count(*)::int from memberships m where m.organization_id = ${filter.organizationId} ${conditionsOf(filter)})`
    : fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'organization.members' and owner_id = ${filter.organizationId})`;

/** The members that match a text, counted first: how many there are decides how they are found. */
async function searchIn(
  filter: MemberFilter,
  search: string,
  { needs }: PageRequest,
  { rlsActive, searchSql }: Database,
): Promise<Partial<List>> {
  const matching = (usesListOrder: boolean): Fragment =>
    matchingMembers({
      organizationId: filter.organizationId,
      search,
      condition: conditionsOf(filter),
      usesListOrder,
    });
  const countLimit = needs.total ? fragment`` : fragment`limit ${rareMax + 1}`;
  const [count] = await searchSql<{ total: number }>`
    select count(*)::int as total from (select from (${matching(rlsActive)}) matching ${countLimit}) counted`;
  const total = count?.total ?? 0;
  return {
    table: fragment`(${matching(rlsActive || total > rareMax)}) m`,
    condition: fragment`true`,
    total: fragment`${total}::int`,
    isReadFromStart: true,
    isPlannedEachTime: true,
  };
}
