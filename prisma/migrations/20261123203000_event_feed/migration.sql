-- The audit log as a feed without gaps: each entry has the id of its transaction. A reader sees only the entries below the
-- oldest transaction that is open (src/modules/events/read-feed.ts). Earlier entries have none and are no events.
alter table "audit_entries" add column "position" bigserial not null;
alter table "audit_entries" add column "tx_id" bigint;

create function current_tx_id() returns bigint language sql volatile as $$ select pg_current_xact_id()::text::bigint $$;
alter table "audit_entries" alter column "tx_id" set default current_tx_id();

-- The oldest transaction of this database that is open: every earlier one has ended, so a statement that begins after this
-- one sees what it wrote. Transactions of other databases of the server write nothing here, so they are left out: the lock
-- on the id of an open transaction says which process holds it. The answer never goes back. A transaction that ends while
-- this is computed has no lock any more, so its state is asked after the locks were read.
create function event_horizon() returns bigint language plpgsql volatile as $$
declare
  snapshot pg_snapshot := pg_current_snapshot();
  open_ids xid8[] := array(select pg_snapshot_xip(snapshot));
begin
  if cardinality(open_ids) > 0 then
    open_ids := array(
      select open.id from unnest(open_ids) as open (id) where not exists (
        select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'transactionid' and l.transactionid = open.id::xid and l.mode = 'ExclusiveLock' and l.granted
          and a.datid <> (select oid from pg_database where datname = current_database())));
    open_ids := array(select open.id from unnest(open_ids) as open (id) where pg_xact_status(open.id) = 'in progress');
  end if;
  return coalesce((select min(open.id::text::bigint) from unnest(open_ids) as open (id)), pg_snapshot_xmax(snapshot)::text::bigint);
end $$;

CREATE INDEX "audit_entries_organization_id_tx_id_position_idx" ON "audit_entries"("organization_id", "tx_id", "position");

-- CreateIndex
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys"("expires_at");

-- CreateIndex
CREATE INDEX "redemptions_sponsored_until_idx" ON "redemptions"("sponsored_until");

-- Transaction ids belong to the server that assigned them, so each database has an epoch, and cursors name it. It is a
-- function and not a row, so that a backup does not carry it to another server.
create function new_event_epoch() returns void language plpgsql as $$
begin
  execute format('create or replace function event_epoch() returns text stable language sql as %L', format('select %L', gen_random_uuid()));
end $$;
select new_event_epoch();

-- After rows were brought to another server, their entries become entries of one transaction of that server, and cursors of
-- the other server expire. User triggers must be off.
create function after_restore() returns void language plpgsql as $$
begin
  update audit_entries set tx_id = current_tx_id() where tx_id is not null;
  perform new_event_epoch();
end $$;

-- A version 7 UUID (RFC 9562), as src/platform/ids.ts makes them.
create function new_id() returns text language sql volatile as $$
  select encode(set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112), 'hex')::uuid::text
  from (select substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
    || substring(uuid_send(gen_random_uuid()) from 7) as bytes) generated
$$;

-- State changes that no request makes, in the transaction that makes them -------------------------------------------

create function record_run_end() returns trigger language plpgsql as $$
begin
  insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
  values (new_id(), new.organization_id, coalesce(new.ended_at, clock_timestamp()), 'SYSTEM',
    case new.state when 'COMPLETED' then 'complete-run' when 'CANCELLED' then 'cancel-run' else 'fail-run' end,
    'Run', new.id, jsonb_strip_nulls(jsonb_build_object('assistantId', new.assistant_id, 'state', new.state, 'errorCode', new.error_code)));
  return null;
end $$;

create trigger runs_record_end after update of state on runs for each row
  when (old.state is distinct from new.state and new.state not in ('QUEUED', 'RUNNING'))
  execute function record_run_end();

create function record_processed_file() returns trigger language plpgsql as $$
begin
  insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
  values (new_id(), new.organization_id, new.updated_at, 'SYSTEM',
    case new.status when 'COMPLETED' then 'complete-file' else 'fail-file' end, 'AssistantFile', new.id,
    jsonb_strip_nulls(jsonb_build_object('assistantId', new.assistant_id, 'replacedId', old.replaces_id, 'status', new.status, 'errorCode', new.error_code)));
  return null;
end $$;

create trigger assistant_files_record_processed after update of status on assistant_files for each row
  when (old.status is distinct from new.status and new.status in ('COMPLETED', 'FAILED'))
  execute function record_processed_file();

-- 2: used up, 1: 80 % are used, 0: less.
create function budget_level(used numeric, limit_amount numeric) returns integer immutable language sql as $$
  select case when used >= limit_amount then 2 when used >= limit_amount * 0.8 then 1 else 0 end
$$;

create function record_budget_level() returns trigger language plpgsql as $$
begin
  insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
  values (new_id(), new.organization_id, clock_timestamp(), 'SYSTEM',
    case budget_level(new.used, new.limit_amount) when 2 then 'exhaust-budget' else 'warn-budget' end, 'Budget', new.id,
    jsonb_build_object('used', new.used::float8));
  return null;
end $$;

create trigger budgets_record_level after update on budgets for each row
  when (budget_level(new.used, new.limit_amount) >
    case when new.period_start = old.period_start then budget_level(old.used, old.limit_amount) else 0 end)
  execute function record_budget_level();
