-- How many seats are free; null without a cap. Where seats are capped, those who join wait for each other at the organization's
-- row, so that the last seat goes once. It is volatile, so that it counts what was committed while it waited.
create function free_seats(joined text) returns int language plpgsql as $$
declare
  seats int;
begin
  select seat_limit into seats from organizations where id = joined for no key update;
  return seats - counted('organization.members', joined)::int;
end $$;

create or replace function has_free_seat(joined text) returns boolean language plpgsql as $$
begin
  return coalesce(free_seats(joined) > 0, true);
end $$;
