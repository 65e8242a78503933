-- CreateTable
CREATE TABLE "audit_trees" (
    "organization_id" TEXT NOT NULL,
    "size" BIGINT NOT NULL DEFAULT 0,
    "frontier" TEXT[],
    "read_transaction" BIGINT NOT NULL DEFAULT 0,
    "read_position" BIGINT NOT NULL DEFAULT 0,
    "checkpoint_size" BIGINT NOT NULL DEFAULT 0,
    "checkpoint_root_hash" TEXT,
    "expired" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "audit_trees_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "audit_leaves" (
    "organization_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_leaves_pkey" PRIMARY KEY ("organization_id","position")
);

-- CreateTable
CREATE TABLE "audit_nodes" (
    "organization_id" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "index" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_nodes_pkey" PRIMARY KEY ("organization_id","level","index")
);

-- CreateTable
CREATE TABLE "audit_checkpoints" (
    "organization_id" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "root_hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "previous_root_hash" TEXT,
    "jws" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoints_pkey" PRIMARY KEY ("organization_id","size")
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_leaves_entry_id_key" ON "audit_leaves"("entry_id");

-- CreateIndex
CREATE INDEX "audit_leaves_organization_id_at_idx" ON "audit_leaves"("organization_id", "at");

-- What the models cannot express.

alter table audit_trees
  add constraint audit_trees_order check (0 <= expired and expired <= checkpoint_size and checkpoint_size <= size),
  add constraint audit_trees_checkpoint_root check ((checkpoint_size = 0) = (checkpoint_root_hash is null));
alter table audit_leaves add constraint audit_leaves_have_hashes check (length(hash) = 32 and position >= 0);
alter table audit_nodes add constraint audit_nodes_have_hashes check (length(hash) = 32 and level >= 8 and index >= 0);
alter table audit_checkpoints add constraint audit_checkpoints_have_hashes check (root_hash ~ '^[0-9a-f]{64}$' and size > 0);

create trigger audit_leaves_append_only before update or delete or truncate on audit_leaves
  for each statement execute function refuse_change();
create trigger audit_nodes_append_only before update or delete or truncate on audit_nodes
  for each statement execute function refuse_change();
create trigger audit_checkpoints_append_only before update or delete or truncate on audit_checkpoints
  for each statement execute function refuse_change();

-- Entries are deleted by this function only, which the retention calls.
create or replace function refuse_entry_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('atrium.expires_entries', true) = 'on' then
    return null;
  end if;
  raise exception 'audit_entries is append-only' using errcode = 'check_violation', constraint = 'audit_entries_append_only';
end $$;
drop trigger audit_entries_append_only on audit_entries;
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_entry_change();

create function expire_audit_entries(organization text, first_position bigint, end_position bigint) returns integer language plpgsql as $$
declare
  deleted integer;
begin
  perform set_config('atrium.expires_entries', 'on', true);
  delete from audit_entries e using audit_leaves l
  where l.organization_id = organization and l.position >= first_position and l.position < end_position
    and e.id = l.entry_id and e.organization_id = organization;
  get diagnostics deleted = row_count;
  perform set_config('atrium.expires_entries', 'off', true);
  return deleted;
end $$;

-- The sealer reads the log again from its beginning, and leaves out the entries that have a leaf.
create or replace function after_restore() returns void language plpgsql as $$
begin
  update audit_entries set tx_id = current_tx_id() where tx_id is not null;
  update webhook_endpoints set next_transaction = 0;
  update audit_trees set read_transaction = 0, read_position = 0;
  perform new_event_epoch();
end $$;

create policy own_organization on audit_trees using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table audit_trees enable row level security, force row level security;

create policy own_organization on audit_leaves using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table audit_leaves enable row level security, force row level security;

create policy own_organization on audit_nodes using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table audit_nodes enable row level security, force row level security;

create policy own_organization on audit_checkpoints using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table audit_checkpoints enable row level security, force row level security;
