import type { Database } from '../../platform/database/database.ts';
import type { MemberPage } from './list-members.ts';
import type { Member } from './member.ts';

type ListTeamUsers = { organizationId: string; teamIds: string[]; page: number; pageSize: number; search?: string | null | undefined };

/** The same page of each of these teams, newest users first, in the order of the ids: one statement for all of them. */
export async function listTeamUsers({ organizationId, teamIds, page, pageSize, search }: ListTeamUsers, { database }: { database: Database }): Promise<MemberPage[]> {
  const pattern = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : '%';
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const rows = await database.searchSql<{ teamId: string; total: number; items: Member[] }>`
    select asked.id as "teamId", found.total, found.items
    from unnest(${teamIds}::text[]) as asked (id)
    cross join lateral (
      with users_of_team as materialized (
        select u.id, u.created_at from team_memberships tm join users u on u.id = tm.user_id
        where tm.team_id = asked.id and tm.organization_id = ${organizationId}
          and (${pattern} = '%' or user_search_text(u.email, u.first_name, u.last_name) like lower(${pattern})))
      select (select count(*)::int from users_of_team) as total,
        coalesce((
          select json_agg(members order by members."createdAt" desc, members.id desc)
          from (select id from users_of_team order by created_at desc, id desc limit ${pageSize} offset ${offset}) on_page
          join members on members."organizationId" = ${organizationId} and members.id = on_page.id), '[]') as items
    ) found`;
  const pages = new Map(rows.map(({ teamId, total, items }) => [teamId, { items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) }]));
  return teamIds.map((teamId) => pages.get(teamId) ?? { items: [], total: 0, page, pageSize, totalPages: 0 });
}
