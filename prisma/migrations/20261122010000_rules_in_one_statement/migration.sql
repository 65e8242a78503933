-- What single statements need to do all of a rule. A function looks anew with each of its own statements, and may open the wall
-- for one of them, so that the statement that calls it stays behind it. (A setting of the function itself takes a superuser.)

-- Whoever extends a sponsorship pays for a workspace that is another organization.
create function pay_workspace_until(workspace_id text, new_end timestamptz, at timestamptz) returns boolean language plpgsql as $$
declare
  scope text := coalesce(current_setting('atrium.organization', true), '');
begin
  perform set_config('atrium.organization', '*', true);
  update organizations set sponsored_until = new_end, updated_at = at where id = workspace_id;
  perform set_config('atrium.organization', scope, true);
  return true;
end $$;

-- An account belongs to no organization, and may be there without being a member of the one that asks. It is one row: for the
-- thousand that Postgres takes a function to return it would compile the statement first, for twenty milliseconds.
create function account_of(address text, new_id text, first_name text, last_name text, at timestamptz)
returns table (id text, created_at timestamptz, is_new boolean) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  scope text := coalesce(current_setting('atrium.organization', true), '');
begin
  perform set_config('atrium.organization', '*', true);
  loop
    return query insert into users as u (id, email, first_name, last_name, created_at)
      values (new_id, address, account_of.first_name, account_of.last_name, at) on conflict (email) do nothing
      returning u.id, u.created_at, true;
    exit when found;
    return query select u.id, u.created_at, false from users u where u.email = address;
    exit when found;
  end loop;
  perform set_config('atrium.organization', scope, true);
end $$;

-- Where seats are capped, those who join wait for each other at the organization's row, so that the last seat goes once.
create function has_free_seat(joined text) returns boolean language plpgsql as $$
declare
  seats int;
begin
  select seat_limit into seats from organizations where id = joined for no key update;
  return seats is null or counted('organization.members', joined) < seats;
end $$;
