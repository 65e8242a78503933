-- What must hold whoever writes: the application, a console, a migration of tomorrow.

create extension if not exists pg_trgm;

-- Ranges and shapes -----------------------------------------------------------------------------------------------

alter table organizations
  add constraint organizations_slug_shape check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  add constraint organizations_name_present check (length(name) between 1 and 200),
  add constraint organizations_seat_limit_range check (seat_limit >= 1);

alter table users
  add constraint users_email_normalised check (email !~ '[A-Z]' and email like '%_@_%' and length(email) <= 254);

alter table teams
  add constraint teams_name_present check (length(name) between 1 and 200 and length(name_key) >= 1);

alter table api_keys
  add constraint api_keys_owner_fits_kind check ((kind = 'USER') = (user_id is not null)),
  add constraint api_keys_hash_is_sha256 check (octet_length(hash) = 32),
  add constraint api_keys_limit_range check (limit_per_minute >= 1);

-- Exactly one default team ----------------------------------------------------------------------------------------

create unique index teams_one_default on teams (organization_id) where is_default;

create function guard_default_team() returns trigger language plpgsql as $$
begin
  if old.is_default and exists (select from organizations where id = old.organization_id)
     and (tg_op = 'DELETE' or not new.is_default or new.organization_id <> old.organization_id) then
    raise exception 'an organization keeps its default team' using errcode = 'check_violation', constraint = 'teams_default_stays';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create trigger teams_default_stays before update or delete on teams
  for each row execute function guard_default_team();

create function require_default_team() returns trigger language plpgsql as $$
begin
  if exists (select from organizations where id = new.id)
     and not exists (select from teams where organization_id = new.id and is_default) then
    raise exception 'an organization needs a default team' using errcode = 'check_violation', constraint = 'organizations_default_team';
  end if;
  return null;
end $$;

create constraint trigger organizations_default_team after insert on organizations
  deferrable initially deferred for each row execute function require_default_team();

-- The audit log only grows ----------------------------------------------------------------------------------------

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_append_only';
end $$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- Maintained totals -----------------------------------------------------------------------------------------------
-- A statement appends one row for each owner it touched, so that writers never queue behind a counter row. About one
-- statement in a hundred folds the rows of its owners that nobody else holds into one; the sum is the same before and after.

create function fold_counter(counter_name text, owner text) returns void language sql as $$
  with taken as (
    delete from counter_deltas where id in (
      select id from counter_deltas where counter = counter_name and owner_id = owner for update skip locked)
    returning delta
  )
  insert into counter_deltas (counter, owner_id, delta)
  select counter_name, owner, sum(delta) from taken having sum(delta) <> 0;
$$;

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception '% is counted row by row', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_not_truncated';
end $$;

-- Arguments: the counter's name, the column of the rows that names the owner.
create function count_rows() returns trigger language plpgsql as $$
declare
  changed text := format(case tg_op
    when 'INSERT' then 'select %1$I as owner_id, 1 as one from added_rows'
    when 'DELETE' then 'select %1$I as owner_id, -1 as one from removed_rows'
    else 'select %1$I as owner_id, 1 as one from added_rows union all select %1$I, -1 from removed_rows' end, tg_argv[1]);
  owner text;
begin
  for owner in execute
    'insert into counter_deltas (counter, owner_id, delta)
     select $1, owner_id, sum(one) from (' || changed || ') changed group by owner_id having sum(one) <> 0 returning owner_id'
    using tg_argv[0]
  loop
    if random() < 0.01 then perform fold_counter(tg_argv[0], owner); end if;
  end loop;
  return null;
end $$;

create trigger memberships_counted_in after insert on memberships
  referencing new table as added_rows for each statement execute function count_rows('organization.members', 'organization_id');
create trigger memberships_counted_out after delete on memberships
  referencing old table as removed_rows for each statement execute function count_rows('organization.members', 'organization_id');
create trigger memberships_counted_over after update on memberships
  referencing old table as removed_rows new table as added_rows
  for each statement execute function count_rows('organization.members', 'organization_id');

create trigger team_memberships_counted_in after insert on team_memberships
  referencing new table as added_rows for each statement execute function count_rows('team.members', 'team_id');
create trigger team_memberships_counted_out after delete on team_memberships
  referencing old table as removed_rows for each statement execute function count_rows('team.members', 'team_id');
create trigger team_memberships_counted_over after update on team_memberships
  referencing old table as removed_rows new table as added_rows
  for each statement execute function count_rows('team.members', 'team_id');

-- Emptying a table at once passes by the triggers that count.
create trigger memberships_not_truncated before truncate on memberships for each statement execute function refuse_truncate();
create trigger team_memberships_not_truncated before truncate on team_memberships for each statement execute function refuse_truncate();

create function counted(counter_name text, owner text) returns bigint language sql stable as $$
  select coalesce(sum(delta), 0)::bigint from counter_deltas where counter = counter_name and owner_id = owner;
$$;

-- Search ----------------------------------------------------------------------------------------------------------
-- The line breaks keep a match inside one of the three; no name and no address can hold one.

create function user_search_text(email text, first_name text, last_name text) returns text immutable parallel safe language sql as $$
  select lower(email || e'\n' || first_name || e'\n' || last_name);
$$;

create index users_search on users using gin (user_search_text(email, first_name, last_name) gin_trgm_ops);
