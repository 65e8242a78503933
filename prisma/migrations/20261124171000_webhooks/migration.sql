-- CreateEnum
CREATE TYPE "webhook_endpoint_state" AS ENUM ('ACTIVE', 'FAILING', 'DISABLED');

-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('REQUESTED', 'GONE', 'UNREACHABLE');

-- CreateEnum
CREATE TYPE "webhook_encoding" AS ENUM ('STANDARD', 'CLOUD_EVENTS');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "types" TEXT[],
    "encoding" "webhook_encoding" NOT NULL DEFAULT 'STANDARD',
    "state" "webhook_endpoint_state" NOT NULL DEFAULT 'ACTIVE',
    "disabled_reason" "webhook_disabled_reason",
    "encrypted_secret" TEXT NOT NULL,
    "encrypted_previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "cursor" TEXT,
    "next_transaction" BIGINT NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "resource_key" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'PENDING',
    "sequence" BIGSERIAL NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "last_status" INTEGER,
    "last_error" TEXT,
    "last_tried_at" TIMESTAMPTZ(3),
    "first_failed_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "lease_holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_notices" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "state" "webhook_endpoint_state" NOT NULL,
    "reason" "webhook_disabled_reason",
    "at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_replays" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,
    "only_failed" BOOLEAN NOT NULL,
    "cursor" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_organization_id_created_at_id_idx" ON "webhook_endpoints"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_id_organization_id_key" ON "webhook_endpoints"("id", "organization_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_notices_endpoint_id_idx" ON "webhook_notices"("endpoint_id");

-- CreateIndex
CREATE INDEX "webhook_replays_endpoint_id_idx" ON "webhook_replays"("endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_organization_id_fkey" FOREIGN KEY ("endpoint_id", "organization_id") REFERENCES "webhook_endpoints"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_notices" ADD CONSTRAINT "webhook_notices_endpoint_id_organization_id_fkey" FOREIGN KEY ("endpoint_id", "organization_id") REFERENCES "webhook_endpoints"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_endpoint_id_organization_id_fkey" FOREIGN KEY ("endpoint_id", "organization_id") REFERENCES "webhook_endpoints"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table webhook_endpoints
  add constraint webhook_endpoints_disabled_reason check ((state = 'DISABLED') = (disabled_reason is not null)),
  add constraint webhook_endpoints_previous_secret check ((encrypted_previous_secret is null) = (previous_secret_until is null));
alter table webhook_deliveries
  add constraint webhook_deliveries_end check ((state = 'PENDING') = (ended_at is null)),
  add constraint webhook_deliveries_lease check ((lease_holder is null) = (lease_until is null)),
  add constraint webhook_deliveries_tries_range check (tries >= 0);

-- What is due, and the order of each resource.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at) where state = 'PENDING';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, resource_key, sequence) where state = 'PENDING';
create index webhook_deliveries_leases on webhook_deliveries (organization_id, endpoint_id) where lease_until is not null;
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where state <> 'PENDING';
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, event_at) where state = 'FAILED';

-- Positions in the feed belong to the server that assigned the transaction ids.
create or replace function after_restore() returns void language plpgsql as $$
begin
  update audit_entries set tx_id = current_tx_id() where tx_id is not null;
  update webhook_endpoints set next_transaction = 0;
  perform new_event_epoch();
end $$;

create policy own_organization on webhook_endpoints using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table webhook_endpoints enable row level security, force row level security;

create policy own_organization on webhook_deliveries using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table webhook_deliveries enable row level security, force row level security;

create policy own_organization on webhook_notices using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table webhook_notices enable row level security, force row level security;

create policy own_organization on webhook_replays using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table webhook_replays enable row level security, force row level security;
