import type { PageRequest, UserBody } from './peer.ts';
import type { Query } from './query.ts';

// A person's own names and last sign-in are shown once the person has accepted the membership.
const showsOwnNames = "m.accepted_at is not null and (u.first_name <> '' or u.last_name <> '')";
const userColumns = `
  u.id, u.email,
  case when ${showsOwnNames} then u.first_name else m.given_first_name end as "firstName",
  case when ${showsOwnNames} then u.last_name else m.given_last_name end as "lastName",
  m.user_created_at as "createdAt", case when m.accepted_at is not null then u.last_login end as "lastLogin",
  m.role = 'ADMIN' as "isAdmin",
  coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.is_default desc, t.name_key)
            from team_memberships tm join teams t on t.id = tm.team_id
            where tm.organization_id = m.organization_id and tm.user_id = m.user_id), '[]') as teams`;
const members = 'memberships m join users u on u.id = m.user_id';
const newestFirst = 'order by m.user_created_at desc, m.user_id desc';
const matches =
  'fold_text(user_search_text(u.email, u.first_name, u.last_name)) like fold_pattern($3)';

// The numbers are validated and are part of the text. As a parameter, LIMIT would hide the number
// of rows from Postgres, which would then plan the prepared statement each time (0.40 instead of
// 0.18 ms).
const pageText = (pageSize: number, offset: number) => `
  select ${userColumns}, (select count(*)::int from memberships where organization_id = $1) as total
  from ${members} where m.organization_id = $1 ${newestFirst} limit ${pageSize} ${offset > 0 ? 'offset $2' : ''}`;
const searchText = (pageSize: number) => `
  select ${userColumns}, (select count(*)::int from ${members} where m.organization_id = $1 and ${matches}) as total
  from ${members} where m.organization_id = $1 and ${matches} ${newestFirst} limit ${pageSize} offset $2`;

type UserRow = UserBody & { total: number };

/** The reads of users by hand-written SQL, for every driver. */
export function createUserReads(query: Query) {
  function queryPage(organizationId: string, { page, pageSize, search }: PageRequest) {
    const offset = (page - 1) * pageSize;
    if (search)
      return query<UserRow>(undefined, searchText(pageSize), [organizationId, offset, search]);
    return offset > 0
      ? query<UserRow>(`page-${pageSize}`, pageText(pageSize, offset), [organizationId, offset])
      : query<UserRow>(`first-page-${pageSize}`, pageText(pageSize, 0), [organizationId]);
  }

  async function listUsers(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ users: UserBody[]; total: number }> {
    const users = await queryPage(organizationId, page);
    const [first] = users;
    if (first || page.page === 1) return { users, total: first?.total ?? 0 };
    const { total } = await listUsers(organizationId, { ...page, page: 1, pageSize: 1 });
    return { users: [], total };
  }

  async function getUser(organizationId: string, userId: string): Promise<UserBody | undefined> {
    const text = `select ${userColumns} from ${members} where m.organization_id = $1 and m.user_id = $2`;
    return (await query<UserRow>('get-user', text, [organizationId, userId]))[0];
  }

  return { listUsers, getUser };
}
