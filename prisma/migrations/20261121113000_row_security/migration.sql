-- The second wall: Postgres itself shows an organization's requests no row of another, whatever the application forgets to ask.
-- It holds for every role that is neither a superuser nor has BYPASSRLS, the owner of the tables included. Before its statements
-- the application says for whom they run (src/platform/database/scope.ts): `atrium.organization` is an organization's id, or * for
-- what belongs to no single one; `atrium.person` is the id of whose key or session it is. Where nothing was said, nothing is seen.

-- Totals tell something of their owner as well ----------------------------------------------------------------------

alter table counter_deltas add column organization_id text;

update counter_deltas d set organization_id = coalesce(
  case when d.counter = 'organization.members' then d.owner_id end,
  (select organization_id from teams where id = d.owner_id),
  (select organization_id from campaigns where id = d.owner_id));

-- What is left are the rows of owners that are gone, which add up to nothing.
delete from counter_deltas where organization_id is null;

alter table counter_deltas alter column organization_id set not null;

create or replace function fold_counter(counter_name text, owner text) returns void language sql as $$
  with taken as (
    delete from counter_deltas where id in (
      select id from counter_deltas where counter = counter_name and owner_id = owner for update skip locked)
    returning organization_id, delta
  )
  insert into counter_deltas (counter, owner_id, organization_id, delta)
  select counter_name, owner, organization_id, sum(delta) from taken group by organization_id having sum(delta) <> 0;
$$;

-- Arguments: the counter's name, the column of the rows that names the owner.
create or replace function count_rows() returns trigger language plpgsql as $$
declare
  changed text := format(case tg_op
    when 'INSERT' then 'select %1$I as owner_id, organization_id, 1 as one from added_rows'
    when 'DELETE' then 'select %1$I as owner_id, organization_id, -1 as one from removed_rows'
    else 'select %1$I as owner_id, organization_id, 1 as one from added_rows
          union all select %1$I, organization_id, -1 from removed_rows' end, tg_argv[1]);
  owner text;
begin
  for owner in execute
    'insert into counter_deltas (counter, owner_id, organization_id, delta)
     select $1, owner_id, organization_id, sum(one) from (' || changed || ') changed
     group by owner_id, organization_id having sum(one) <> 0 returning owner_id'
    using tg_argv[0]
  loop
    if random() < 0.01 then perform fold_counter(tg_argv[0], owner); end if;
  end loop;
  return null;
end $$;

create or replace function count_redemptions() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as one from added_rows'
    when 'DELETE' then 'select *, -1 as one from removed_rows'
    else 'select *, 1 as one from added_rows union all select *, -1 from removed_rows' end;
  owner text;
  counter_name text;
  place record;
begin
  for counter_name, owner in execute
    'insert into counter_deltas (counter, owner_id, organization_id, delta)
     select ''campaign.redemptions.'' || billing_status, campaign_id, organization_id, sum(one) from (' || changed || ') changed
     group by campaign_id, organization_id, billing_status having sum(one) <> 0 returning counter, owner_id'
  loop
    if random() < 0.01 then perform fold_counter(counter_name, owner); end if;
  end loop;
  for place in execute
    'insert into redemption_month_deltas (organization_id, campaign_id, month, billing_status, redemptions, amount_eur)
     select organization_id, campaign_id, date_trunc(''month'', redeemed_at, ''UTC''), billing_status, sum(one), sum(one * coalesce(billing_amount, 0))
     from (' || changed || ') changed group by 1, 2, 3, 4 having sum(one) <> 0 or sum(one * coalesce(billing_amount, 0)) <> 0
     returning organization_id, campaign_id, month, billing_status'
  loop
    if random() < 0.01 then
      perform fold_redemption_months(place.organization_id, place.campaign_id, place.month, place.billing_status);
    end if;
  end loop;
  return null;
end $$;

-- Each setting stands in a select of its own, so that a statement reads it once and not for each row; the one for everything comes
-- first, so that whoever may see all has nothing looked up.

-- Rows that name their organization: all is its own -----------------------------------------------------------------

do $$
declare
  owned text;
begin
  foreach owned in array array[
    'api_keys', 'assistant_files', 'assistant_shares', 'assistants', 'audit_entries', 'billing_changes', 'campaigns', 'file_removals',
    'idempotent_requests', 'invitations', 'links', 'redemption_month_deltas', 'redemptions', 'reservations', 'team_memberships', 'teams']
  loop
    execute format($policy$
      create policy own_organization on %I using (
        (select current_setting('atrium.organization', true)) = '*'
        or organization_id = (select current_setting('atrium.organization', true)))$policy$, owned);
  end loop;
end $$;

-- More is seen than may be changed ----------------------------------------------------------------------------------

-- A person may be in several organizations, and chooses among them.
create policy seen on memberships for select using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true))
  or user_id = (select current_setting('atrium.person', true)));

-- Besides one's own the organizations that one is in, and for a partner those that it pays for.
create policy seen on organizations for select using (
  (select current_setting('atrium.organization', true)) = '*'
  or id = (select current_setting('atrium.organization', true))
  or exists (select from memberships m where m.organization_id = organizations.id and m.user_id = (select current_setting('atrium.person', true)))
  or exists (select from redemptions r
    where r.sponsored_organization_id = organizations.id and r.organization_id = (select current_setting('atrium.organization', true))));

-- How many members such an organization has is shown beside it.
create policy seen on counter_deltas for select using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true))
  or (counter = 'organization.members' and exists (select from organizations o where o.id = counter_deltas.organization_id)));

-- Oneself, the members of one's organization, and for a partner those who redeemed.
create policy seen on users for select using (
  (select current_setting('atrium.organization', true)) = '*'
  or id = (select current_setting('atrium.person', true))
  or exists (select from memberships m where m.organization_id = (select current_setting('atrium.organization', true)) and m.user_id = users.id)
  or exists (select from redemptions r where r.user_id = users.id and r.organization_id = (select current_setting('atrium.organization', true))));

do $$
declare
  owned record;
  may_change text := $condition$(select current_setting('atrium.organization', true)) = '*' or %1$I = (select current_setting(%2$L, true))$condition$;
begin
  for owned in select * from (values
    ('memberships', 'organization_id', 'atrium.organization'), ('organizations', 'id', 'atrium.organization'),
    ('counter_deltas', 'organization_id', 'atrium.organization'), ('users', 'id', 'atrium.person')) named (name, key, setting)
  loop
    execute format('create policy added on %I for insert with check (%s)', owned.name, format(may_change, owned.key, owned.setting));
    execute format('create policy changed on %I for update using (%s)', owned.name, format(may_change, owned.key, owned.setting));
    execute format('create policy removed on %I for delete using (%s)', owned.name, format(may_change, owned.key, owned.setting));
  end loop;

  -- What opens an account is its owner's alone.
  for owned in select * from (values ('accounts'), ('sessions')) named (name) loop
    execute format('create policy own_person on %I using (%s)', owned.name, format(may_change, 'user_id', 'atrium.person'));
  end loop;
end $$;

-- What verifies an account is nobody's yet.
create policy nobody on verifications using ((select current_setting('atrium.organization', true)) = '*');

-- A view asks for its owner otherwise, who may be another role than the one that reads. Before Postgres 15 there is no other way.
do $$
begin
  if current_setting('server_version_num')::int >= 150000 then alter view members set (security_invoker = true); end if;
end $$;

-- For every table there is, with the exception of Prisma's own, which says what was migrated ------------------------

do $$
declare
  walled text;
begin
  for walled in select tablename from pg_tables where schemaname = current_schema() and tablename <> '_prisma_migrations' loop
    execute format('alter table %I enable row level security, force row level security', walled);
  end loop;
end $$;
