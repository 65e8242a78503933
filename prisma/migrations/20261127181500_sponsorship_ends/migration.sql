-- CreateTable
CREATE TABLE "sponsorship_end_deltas" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "sponsorships" INTEGER NOT NULL,
    "seats" INTEGER NOT NULL,

    CONSTRAINT "sponsorship_end_deltas_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sponsorship_end_deltas_organization_id_day_idx" ON "sponsorship_end_deltas"("organization_id", "day");

-- What the models cannot express.

create policy own_organization on sponsorship_end_deltas using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table sponsorship_end_deltas enable row level security, force row level security;

create function fold_sponsorship_ends(owner text, of_day date) returns void language sql as $$
  with taken as (
    delete from sponsorship_end_deltas where id in (
      select id from sponsorship_end_deltas where organization_id = owner and day = of_day for update skip locked)
    returning sponsorships, seats
  )
  insert into sponsorship_end_deltas (organization_id, day, sponsorships, seats)
  select owner, of_day, sum(sponsorships), sum(seats) from taken
  having sum(sponsorships) <> 0 or sum(seats) <> 0;
$$;

-- Sponsorships and their seats are counted by the day on which they end.
create function count_sponsorship_ends() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as one from added_rows'
    when 'DELETE' then 'select *, -1 as one from removed_rows'
    else 'select *, 1 as one from added_rows union all select *, -1 from removed_rows' end;
  place record;
begin
  for place in execute
    'insert into sponsorship_end_deltas (organization_id, day, sponsorships, seats)
     select organization_id, (sponsored_until at time zone ''UTC'')::date,
       sum(one), sum(one * coalesce(included_seats, 0))
     from (' || changed || ') changed group by 1, 2
     having sum(one) <> 0 or sum(one * coalesce(included_seats, 0)) <> 0
     returning organization_id, day'
  loop
    if random() < 0.01 then perform fold_sponsorship_ends(place.organization_id, place.day); end if;
  end loop;
  return null;
end $$;

-- Creating a trigger keeps writers out until the end of the migration, so the rows of before are counted once.
create trigger sponsorship_ends_counted_in after insert on redemptions
  referencing new table as added_rows for each statement execute function count_sponsorship_ends();
create trigger sponsorship_ends_counted_out after delete on redemptions
  referencing old table as removed_rows for each statement execute function count_sponsorship_ends();
create trigger sponsorship_ends_counted_over after update on redemptions
  referencing old table as removed_rows new table as added_rows
  for each statement execute function count_sponsorship_ends();

insert into sponsorship_end_deltas (organization_id, day, sponsorships, seats)
select organization_id, (sponsored_until at time zone 'UTC')::date, count(*), coalesce(sum(included_seats), 0)
from redemptions group by 1, 2;
