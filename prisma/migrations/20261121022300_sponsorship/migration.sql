-- CreateEnum
CREATE TYPE "billing_status" AS ENUM ('UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED');

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "sponsored_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "campaigns" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "duration_months" INTEGER NOT NULL,
    "max_redemptions" INTEGER,
    "expires_at" TIMESTAMPTZ(3),
    "included_seats" INTEGER,
    "allowed_email_domains" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "allowed_emails" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "pricing_model" TEXT,
    "pricing_amount_eur" DECIMAL(24,10),
    "pricing_unit" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "completed_redemptions" INTEGER NOT NULL DEFAULT 0,
    "reserved_redemptions" INTEGER NOT NULL DEFAULT 0,
    "last_reservation_id" TEXT,
    "next_link_number" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "links" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "password_hash" TEXT,
    "completed_redemptions" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reservations" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redemptions" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sponsored_organization_id" TEXT NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "duration_months" INTEGER NOT NULL,
    "included_seats" INTEGER,
    "pricing_model" TEXT,
    "pricing_amount_eur" DECIMAL(24,10),
    "pricing_unit" TEXT,
    "redeemed_at" TIMESTAMPTZ(3) NOT NULL,
    "sponsored_until" TIMESTAMPTZ(3) NOT NULL,
    "extended_until" TIMESTAMPTZ(3),
    "extension_reason" TEXT,
    "billing_status" "billing_status" NOT NULL DEFAULT 'UNBILLED',
    "billing_amount" DECIMAL(24,10),
    "billed_at" TIMESTAMPTZ(3),
    "billing_batch_id" TEXT,

    CONSTRAINT "redemptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_changes" (
    "id" BIGSERIAL NOT NULL,
    "redemption_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status_before" "billing_status" NOT NULL,
    "status" "billing_status" NOT NULL,
    "amount" DECIMAL(24,10),
    "batch_id" TEXT,
    "actor_key_id" TEXT,
    "actor_user_id" TEXT,

    CONSTRAINT "billing_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redemption_month_deltas" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "billing_status" "billing_status" NOT NULL,
    "redemptions" INTEGER NOT NULL,
    "amount_eur" DECIMAL(24,10) NOT NULL,

    CONSTRAINT "redemption_month_deltas_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "campaigns_organization_id_created_at_id_idx" ON "campaigns"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "campaigns_organization_id_is_active_created_at_id_idx" ON "campaigns"("organization_id", "is_active", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_id_organization_id_key" ON "campaigns"("id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "links_token_key" ON "links"("token");

-- CreateIndex
CREATE INDEX "links_campaign_id_created_at_id_idx" ON "links"("campaign_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "links_id_campaign_id_key" ON "links"("id", "campaign_id");

-- CreateIndex
CREATE INDEX "reservations_campaign_id_expires_at_idx" ON "reservations"("campaign_id", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "redemptions_sponsored_organization_id_key" ON "redemptions"("sponsored_organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "redemptions_reservation_id_key" ON "redemptions"("reservation_id");

-- CreateIndex
CREATE INDEX "redemptions_campaign_id_redeemed_at_id_idx" ON "redemptions"("campaign_id", "redeemed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "redemptions_campaign_id_billing_status_redeemed_at_id_idx" ON "redemptions"("campaign_id", "billing_status", "redeemed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "redemptions_organization_id_sponsored_until_idx" ON "redemptions"("organization_id", "sponsored_until");

-- CreateIndex
CREATE INDEX "redemptions_link_id_idx" ON "redemptions"("link_id");

-- CreateIndex
CREATE UNIQUE INDEX "redemptions_campaign_id_user_id_key" ON "redemptions"("campaign_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "redemptions_id_organization_id_key" ON "redemptions"("id", "organization_id");

-- CreateIndex
CREATE INDEX "billing_changes_redemption_id_id_idx" ON "billing_changes"("redemption_id", "id" DESC);

-- CreateIndex
CREATE INDEX "redemption_month_deltas_organization_id_month_campaign_id_b_idx" ON "redemption_month_deltas"("organization_id", "month", "campaign_id", "billing_status");

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_campaign_id_organization_id_fkey" FOREIGN KEY ("campaign_id", "organization_id") REFERENCES "campaigns"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_campaign_id_organization_id_fkey" FOREIGN KEY ("campaign_id", "organization_id") REFERENCES "campaigns"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_link_id_campaign_id_fkey" FOREIGN KEY ("link_id", "campaign_id") REFERENCES "links"("id", "campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_campaign_id_organization_id_fkey" FOREIGN KEY ("campaign_id", "organization_id") REFERENCES "campaigns"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_link_id_campaign_id_fkey" FOREIGN KEY ("link_id", "campaign_id") REFERENCES "links"("id", "campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_sponsored_organization_id_fkey" FOREIGN KEY ("sponsored_organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_changes" ADD CONSTRAINT "billing_changes_redemption_id_organization_id_fkey" FOREIGN KEY ("redemption_id", "organization_id") REFERENCES "redemptions"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Ranges and shapes -----------------------------------------------------------------------------------------------

alter table campaigns
  add constraint campaigns_name_length check (length(name) between 1 and 200),
  add constraint campaigns_duration_range check (duration_months between 1 and 6),
  add constraint campaigns_lists_present check (num_nulls(allowed_email_domains, allowed_emails) = 0),
  add constraint campaigns_cap_range check (max_redemptions >= 1),
  add constraint campaigns_seats_range check (included_seats between 1 and 1000),
  add constraint campaigns_pricing_whole check (num_nulls(pricing_model, pricing_amount_eur, pricing_unit) in (0, 3) and pricing_amount_eur >= 0),
  add constraint campaigns_counters_range check (completed_redemptions >= 0 and reserved_redemptions >= 0),
  add constraint campaigns_next_link_range check (next_link_number >= 1);

alter table links
  add constraint links_name_length check (length(name) between 1 and 200),
  add constraint links_token_form check (token ~ '^[0-9A-Za-z]{32}$'),
  add constraint links_completed_range check (completed_redemptions >= 0);

alter table reservations add constraint reservations_end_later check (expires_at > created_at);

alter table redemptions
  add constraint redemptions_duration_range check (duration_months between 1 and 6),
  add constraint redemptions_seats_range check (included_seats between 1 and 1000),
  add constraint redemptions_end_later check (sponsored_until > redeemed_at),
  add constraint redemptions_extension check (extended_until is null or extended_until = sponsored_until),
  add constraint redemptions_amount_range check (billing_amount >= 0),
  add constraint redemptions_pricing_whole check (num_nulls(pricing_model, pricing_amount_eur, pricing_unit) in (0, 3)),
  add constraint redemptions_billed_at check ((billed_at is not null) or billing_status <> 'BILLED'),
  add constraint redemptions_unbilled check (billing_status <> 'UNBILLED' or (billed_at is null and billing_batch_id is null));

create trigger billing_changes_append_only before update or truncate on billing_changes
  for each statement execute function refuse_change();

-- Maintained totals -----------------------------------------------------------------------------------------------

create trigger links_counted_in after insert on links
  referencing new table as added_rows for each statement execute function count_rows('campaign.links', 'campaign_id');
create trigger links_counted_out after delete on links
  referencing old table as removed_rows for each statement execute function count_rows('campaign.links', 'campaign_id');

create function fold_redemption_months(owner text, whose_campaign text, of_month timestamptz, of_status billing_status) returns void language sql as $$
  with taken as (
    delete from redemption_month_deltas where id in (
      select id from redemption_month_deltas
      where organization_id = owner and month = of_month and campaign_id = whose_campaign and billing_status = of_status
      for update skip locked)
    returning redemptions, amount_eur
  )
  insert into redemption_month_deltas (organization_id, campaign_id, month, billing_status, redemptions, amount_eur)
  select owner, whose_campaign, of_month, of_status, sum(redemptions), sum(amount_eur) from taken
  having sum(redemptions) <> 0 or sum(amount_eur) <> 0;
$$;

-- Redemptions are counted by campaign and billing status, and by month with what they amount to.
create function count_redemptions() returns trigger language plpgsql as $$
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
    'insert into counter_deltas (counter, owner_id, delta)
     select ''campaign.redemptions.'' || billing_status, campaign_id, sum(one) from (' || changed || ') changed
     group by campaign_id, billing_status having sum(one) <> 0 returning counter, owner_id'
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

create trigger redemptions_counted_in after insert on redemptions
  referencing new table as added_rows for each statement execute function count_redemptions();
create trigger redemptions_counted_out after delete on redemptions
  referencing old table as removed_rows for each statement execute function count_redemptions();
create trigger redemptions_counted_over after update on redemptions
  referencing old table as removed_rows new table as added_rows for each statement execute function count_redemptions();
