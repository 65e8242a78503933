-- A user as an organization sees them. The column names are those of the API, so that a read needs no translation. Id and
-- date are the membership's copies, which the foreign keys hold equal, so that one index finds and orders a page.
create view members as
select
  m.organization_id as "organizationId",
  m.user_id as id,
  u.email,
  u.first_name as "firstName",
  u.last_name as "lastName",
  m.user_created_at as "createdAt",
  u.last_login as "lastLogin",
  m.role = 'ADMIN' as "isAdmin",
  coalesce(
    (select json_agg(json_build_object('id', t.id, 'name', t.name, 'isDefault', t.is_default) order by t.is_default desc, t.name_key)
     from team_memberships tm join teams t on t.id = tm.team_id
     where tm.organization_id = m.organization_id and tm.user_id = m.user_id),
    '[]') as teams
from memberships m join users u on u.id = m.user_id;
