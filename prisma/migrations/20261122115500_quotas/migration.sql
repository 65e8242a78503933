-- CreateEnum
CREATE TYPE "quota_lease_kind" AS ENUM ('RUNS', 'UPLOADS');

-- AlterTable
ALTER TABLE "assistant_files" ADD COLUMN     "indexed_passages" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reserved_passages" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "counter_deltas" ALTER COLUMN "delta" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "bytes_max" BIGINT,
ADD COLUMN     "concurrent_runs_max" INTEGER,
ADD COLUMN     "concurrent_uploads_max" INTEGER,
ADD COLUMN     "files_max" INTEGER,
ADD COLUMN     "last_file_turn_at" TIMESTAMPTZ(3),
ADD COLUMN     "passages_max" INTEGER;

-- CreateTable
CREATE TABLE "quota_leases" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "kind" "quota_lease_kind" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_leases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "quota_leases_organization_id_kind_idx" ON "quota_leases"("organization_id", "kind");

-- Row-level security ------------------------------------------------------------------------------------------------

create policy own_organization on quota_leases using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table quota_leases enable row level security, force row level security;

-- Files of organizations take turns ---------------------------------------------------------------------------------
-- Who waits is read organization by organization, so that a claim costs the same however many files one of them has queued.

create index assistant_files_unfinished on assistant_files (organization_id, status, created_at, id) where status in ('PENDING', 'PROCESSING');

-- Kept totals of files, bytes and passages --------------------------------------------------------------------------

create function count_files() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select organization_id, 1 as one, size, indexed_passages from added_rows'
    when 'DELETE' then 'select organization_id, -1 as one, size, indexed_passages from removed_rows'
    else 'select organization_id, 1 as one, size, indexed_passages from added_rows
          union all select organization_id, -1, size, indexed_passages from removed_rows' end;
  counter_name text;
  owner text;
begin
  for counter_name, owner in execute
    'insert into counter_deltas (counter, owner_id, organization_id, delta)
     select total.counter, sums.organization_id, sums.organization_id, total.delta
     from (
       select organization_id, sum(one) as files, sum(one * size::bigint) as bytes, sum(one * indexed_passages::bigint) as passages
       from (' || changed || ') changed group by organization_id) sums
     cross join lateral (values
       (''organization.files'', sums.files), (''organization.bytes'', sums.bytes), (''organization.passages'', sums.passages)) total(counter, delta)
     where total.delta <> 0 returning counter, owner_id'
  loop
    if random() < 0.01 then perform fold_counter(counter_name, owner); end if;
  end loop;
  return null;
end $$;

create trigger assistant_files_counted_in after insert on assistant_files
  referencing new table as added_rows for each statement execute function count_files();
create trigger assistant_files_counted_out after delete on assistant_files
  referencing old table as removed_rows for each statement execute function count_files();
create trigger assistant_files_counted_over after update on assistant_files
  referencing old table as removed_rows new table as added_rows for each statement execute function count_files();
create trigger assistant_files_not_truncated before truncate on assistant_files for each statement execute function refuse_truncate();

-- Files that were there before: the update counts their passages, and the insert counts the rest.
update assistant_files set indexed_passages = passages where status = 'COMPLETED' and passages > 0;

insert into counter_deltas (counter, owner_id, organization_id, delta)
select total.counter, sums.organization_id, sums.organization_id, total.delta
from (select organization_id, count(*) as files, sum(size::bigint) as bytes from assistant_files group by organization_id) sums
cross join lateral (values ('organization.files', sums.files), ('organization.bytes', sums.bytes)) total(counter, delta)
where total.delta <> 0;

-- Quotas ------------------------------------------------------------------------------------------------------------
-- Each function first takes a lock of its organization, and every statement after that sees what was committed before. So two
-- requests never both get the last of a quota.

-- Whether this many files and bytes fit besides what the organization has; `files_limit` and `bytes_limit` hold unless it has its own.
create function has_room_for_files(organization text, files bigint, bytes bigint, files_limit bigint, bytes_limit bigint)
returns table (quota text, used bigint, at_most bigint) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('quota of files ' || organization, 0));
  return query
    select wanted.quota, wanted.used, wanted.at_most
    from organizations o
    cross join lateral (values
      ('files', counted('organization.files', o.id), files, coalesce(o.files_max, files_limit)),
      ('bytes', counted('organization.bytes', o.id), bytes, coalesce(o.bytes_max, bytes_limit))) wanted(quota, used, more, at_most)
    where o.id = organization and wanted.more > 0 and wanted.used + wanted.more > wanted.at_most;
end $$;

-- Sets passages aside for a file that is about to be read, in place of those it has in the vault, and returns how many it may have.
-- Null where others that are being read at the moment have the rest: their result decides.
create function reserve_passages(file text, per_file_max bigint, passages_limit bigint) returns bigint language plpgsql as $$
declare
  organization text;
  own bigint;
  at_most bigint;
  reserved bigint;
  remaining bigint;
begin
  select f.organization_id into organization from assistant_files f where f.id = file;
  perform pg_advisory_xact_lock(hashtextextended('quota of passages ' || organization, 0));
  select f.indexed_passages into own from assistant_files f where f.id = file;
  select coalesce(o.passages_max, passages_limit) into at_most from organizations o where o.id = organization;
  select coalesce(sum(f.reserved_passages), 0) into reserved from assistant_files f
  where f.organization_id = organization and f.status in ('PENDING', 'PROCESSING') and f.id <> file;
  remaining := greatest(0, at_most - (counted('organization.passages', organization) - own));
  if reserved > 0 and remaining - reserved < per_file_max then return null; end if;
  update assistant_files set reserved_passages = least(remaining, per_file_max) where id = file;
  return least(remaining, per_file_max);
end $$;

-- Takes a lease where the organization has fewer of this kind than it may have; `lease_limit` holds unless it has a limit of its own.
create function take_quota_lease(lease text, organization text, lease_kind quota_lease_kind, lease_limit int, seconds int, out taken boolean, out at_most int)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('quota of ' || lease_kind || ' ' || organization, 0));
  select coalesce(case lease_kind when 'RUNS' then o.concurrent_runs_max else o.concurrent_uploads_max end, lease_limit) into at_most
  from organizations o where o.id = organization;
  delete from quota_leases l where l.organization_id = organization and l.kind = lease_kind and l.expires_at < clock_timestamp();
  taken := (select count(*) from quota_leases l where l.organization_id = organization and l.kind = lease_kind) < at_most;
  if taken then
    insert into quota_leases (id, organization_id, kind, expires_at)
    values (lease, organization, lease_kind, clock_timestamp() + make_interval(secs => seconds));
  end if;
end $$;
