-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "accepted_at" TIMESTAMPTZ(3),
ADD COLUMN     "given_first_name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "given_last_name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "was_added" BOOLEAN NOT NULL DEFAULT false;

-- A role that row-level security narrows sees every organization until the end of this transaction.
select set_config('atrium.organization', '*', true);

-- Existing rows. A person who has signed in, or who has a password or a sign-in provider, has used the memberships that they
-- have: they count as accepted since they began. Nobody has recorded which of them another person added, so none is marked as
-- added, and every person keeps the default organization that they have today.
update memberships m set accepted_at = m.created_at from users u
where u.id = m.user_id and (u.last_login is not null or exists (select from accounts a where a.user_id = u.id));

-- All other accounts were made by an organization, which also chose the names. The account and its first membership have the
-- same date, which names that organization. The names go to its membership and leave the account.
update memberships m set given_first_name = u.first_name, given_last_name = u.last_name from users u
where u.id = m.user_id and m.accepted_at is null and m.created_at = u.created_at;

update users u set first_name = '', last_name = ''
where u.last_login is null and (u.first_name <> '' or u.last_name <> '')
  and not exists (select from accounts a where a.user_id = u.id) and exists (select from memberships m where m.user_id = u.id);

-- Whether an organization sees the names and the last sign-in that the account has.
create function shows_own_names(accepted_at timestamptz, first_name text, last_name text) returns boolean immutable parallel safe language sql as $$
  select accepted_at is not null and (first_name <> '' or last_name <> '');
$$;

create or replace view members as
select
  m.organization_id as "organizationId",
  m.user_id as id,
  u.email,
  case when shows_own_names(m.accepted_at, u.first_name, u.last_name) then u.first_name else m.given_first_name end as "firstName",
  case when shows_own_names(m.accepted_at, u.first_name, u.last_name) then u.last_name else m.given_last_name end as "lastName",
  -- The date of the account, also before the person has accepted: lists are in this order, and the id begins with the same time.
  m.user_created_at as "createdAt",
  (case when m.accepted_at is not null then u.last_login end)::timestamptz(3) as "lastLogin",
  m.role = 'ADMIN' as "isAdmin",
  coalesce(
    (select json_agg(json_build_object('id', t.id, 'name', t.name, 'isDefault', t.is_default) order by t.is_default desc, t.name_key)
     from team_memberships tm join teams t on t.id = tm.team_id
     where tm.organization_id = m.organization_id and tm.user_id = m.user_id),
    '[]') as teams
from memberships m join users u on u.id = m.user_id;

-- Replacing a view resets its options. The reason for this one stands in the migration that switched row-level security on.
do $$
begin
  if current_setting('server_version_num')::int >= 150000 then alter view members set (security_invoker = true); end if;
end $$;

-- Names that an organization gave are searched like those of an account; most memberships have none.
create index memberships_given_names on memberships using gin (user_search_text('', given_first_name, given_last_name) gin_trgm_ops)
  where given_first_name <> '' or given_last_name <> '';
