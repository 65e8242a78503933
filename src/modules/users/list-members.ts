import type { Database } from '../../platform/database/database.ts';
import { offsetOf, type Page, type PageInput, toPage } from '../../platform/database/page.ts';
import { fragment, rowLimit } from '../../platform/database/sql.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';

type ListMembersInput = PageInput & {
  organizationId: string;
  search?: string | null | undefined;
};

// Up to this offset Postgres skips index entries from the start; beyond it, from the nearer end.
const deepOffsetMin = 2_000;

// If more members than this match a text, a scan in the order of the list soon fills a page. Fewer
// matches are looked up in the index and sorted.
const rareMax = 1_000;

/**
 * Lists a page of an organization's users, newest first. Triggers maintain the total; a search
 * counts its own.
 */
export async function listMembers(
  { organizationId, page, pageSize, search }: ListMembersInput,
  { database }: { database: Database },
): Promise<Page<Member>> {
  const offset = offsetOf({ page, pageSize });
  const range = { organizationId, offset, pageSize };
  const { items, total } = search
    ? await searchMembers(database, range, search)
    : offset > deepOffsetMin
      ? await readDeepRange(database, range)
      : await readRange(database, range);
  return toPage(items, total, { page, pageSize });
}

type MemberRange = { organizationId: string; offset: number; pageSize: number };
type MemberSlice = { items: Member[]; total: number };

async function readRange(
  database: Database,
  { organizationId, offset, pageSize }: MemberRange,
): Promise<MemberSlice> {
  const limit = rowLimit(pageSize);
  const total = fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'organization.members' and owner_id = ${organizationId})`;
  // With an offset, a subquery skips rows before the view `members` collects the teams of each one.
  const rows =
    offset === 0
      ? await database.sql<Member & { total: number }>`
          select members.*, ${total} as total from members where "organizationId" = ${organizationId} order by "createdAt" desc, id desc limit ${limit}`
      : await database.sql<Member & { total: number }>`
          select members.*, ${total} as total
          from (select user_id from memberships where organization_id = ${organizationId}
                order by user_created_at desc, user_id desc limit ${limit} offset ${offset}) page
          join members on members."organizationId" = ${organizationId} and members.id = page.user_id
          order by members."createdAt" desc, members.id desc`;
  return { items: rows, total: rows[0]?.total ?? (await countMembers(database, organizationId)) };
}

async function readDeepRange(
  database: Database,
  { organizationId, offset, pageSize }: MemberRange,
): Promise<MemberSlice> {
  const total = await countMembers(database, organizationId);
  const length = Math.min(pageSize, total - offset);
  if (length <= 0) return { items: [], total };
  const offsetFromEnd = total - offset - length;
  const items =
    offset <= offsetFromEnd
      ? await database.sql<Member>`
          select members.*
          from (select user_id from memberships where organization_id = ${organizationId}
                order by user_created_at desc, user_id desc limit ${length} offset ${offset}) page
          join members on members."organizationId" = ${organizationId} and members.id = page.user_id
          order by members."createdAt" desc, members.id desc`
      : await database.sql<Member>`
          select members.*
          from (select user_id from memberships where organization_id = ${organizationId}
                order by user_created_at, user_id limit ${length} offset ${offsetFromEnd}) page
          join members on members."organizationId" = ${organizationId} and members.id = page.user_id
          order by members."createdAt" desc, members.id desc`;
  return { items, total };
}

async function searchMembers(
  database: Database,
  { organizationId, offset, pageSize }: MemberRange,
  search: string,
): Promise<MemberSlice> {
  // The indexed text joins its three fields with line breaks, and no field contains one.
  if (search.includes('\n')) return { items: [], total: 0 };
  const { rlsActive } = database;
  const [count] = await database.searchSql<{ total: number }>`
    select count(*)::int as total from (${matchingMembers({ organizationId, search, usesListOrder: rlsActive })}) matching`;
  const total = count?.total ?? 0;
  if (offset >= total) return { items: [], total };
  const matching = matchingMembers({
    organizationId,
    search,
    usesListOrder: rlsActive || total > rareMax,
  });
  const items = await database.searchSql<Member>`
    select members.*
    from (select user_id from (${matching}) matching order by user_created_at desc, user_id desc limit ${pageSize} offset ${offset}) page
    join members on members."organizationId" = ${organizationId} and members.id = page.user_id
    order by members."createdAt" desc, members.id desc`;
  return { items, total };
}

async function countMembers(database: Database, organizationId: string): Promise<number> {
  const [row] = await database.sql<{ total: number }>`
    select coalesce(sum(delta), 0)::int as total from counter_deltas where counter = 'organization.members' and owner_id = ${organizationId}`;
  return row?.total ?? 0;
}
