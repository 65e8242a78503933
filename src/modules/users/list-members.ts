import type { Database } from '../../platform/database/database.ts';
import { fragment, rowLimit } from '../../platform/database/sql.ts';
import { matchingMembers } from './matching-members.ts';
import type { Member } from './member.ts';

export type MemberPage = {
  items: Member[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
};

type ListMembers = {
  organizationId: string;
  page: number;
  pageSize: number;
  search?: string | null | undefined;
};

// Up to here a page is found by counting entries of an index; further on it pays to come from the
// nearer end.
const deepOffset = 2_000;

// A text that more members match is met soon by going through the list in its order; fewer are
// looked up and sorted.
const rareMax = 1_000;

/**
 * A page of an organization's users, newest first. Its total is kept by triggers, unless a search
 * makes it another one.
 */
export async function listMembers(
  { organizationId, page, pageSize, search }: ListMembers,
  { database }: { database: Database },
): Promise<MemberPage> {
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const window = { organizationId, offset, pageSize };
  const { items, total } = search
    ? await searched(database, window, search)
    : offset > deepOffset
      ? await deep(database, window)
      : await first(database, window);
  return { items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
}

type Window = { organizationId: string; offset: number; pageSize: number };
type Found = { items: Member[]; total: number };

async function first(
  database: Database,
  { organizationId, offset, pageSize }: Window,
): Promise<Found> {
  const limit = rowLimit(pageSize);
  const total = fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'organization.members' and owner_id = ${organizationId})`;
  // What a page skips is skipped before its teams are gathered.
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

async function deep(
  database: Database,
  { organizationId, offset, pageSize }: Window,
): Promise<Found> {
  const total = await countMembers(database, organizationId);
  const length = Math.min(pageSize, total - offset);
  if (length <= 0) return { items: [], total };
  const behind = total - offset - length;
  const items =
    offset <= behind
      ? await database.sql<Member>`
          select members.*
          from (select user_id from memberships where organization_id = ${organizationId}
                order by user_created_at desc, user_id desc limit ${length} offset ${offset}) page
          join members on members."organizationId" = ${organizationId} and members.id = page.user_id
          order by members."createdAt" desc, members.id desc`
      : await database.sql<Member>`
          select members.*
          from (select user_id from memberships where organization_id = ${organizationId}
                order by user_created_at, user_id limit ${length} offset ${behind}) page
          join members on members."organizationId" = ${organizationId} and members.id = page.user_id
          order by members."createdAt" desc, members.id desc`;
  return { items, total };
}

async function searched(
  database: Database,
  { organizationId, offset, pageSize }: Window,
  search: string,
): Promise<Found> {
  // The text that is searched has line breaks between its three fields, and none inside them.
  if (search.includes('\n')) return { items: [], total: 0 };
  const { rlsActive } = database;
  const [found] = await database.searchSql<{ total: number }>`
    select count(*)::int as total from (${matchingMembers({ organizationId, search, isInOrder: rlsActive })}) found`;
  const total = found?.total ?? 0;
  if (offset >= total) return { items: [], total };
  const matching = matchingMembers({
    organizationId,
    search,
    isInOrder: rlsActive || total > rareMax,
  });
  const items = await database.searchSql<Member>`
    select members.*
    from (select user_id from (${matching}) found order by user_created_at desc, user_id desc limit ${pageSize} offset ${offset}) page
    join members on members."organizationId" = ${organizationId} and members.id = page.user_id
    order by members."createdAt" desc, members.id desc`;
  return { items, total };
}

async function countMembers(database: Database, organizationId: string): Promise<number> {
  const [row] = await database.sql<{ total: number }>`
    select coalesce(sum(delta), 0)::int as total from counter_deltas where counter = 'organization.members' and owner_id = ${organizationId}`;
  return row?.total ?? 0;
}
