-- CreateTable
CREATE TABLE "link_days" (
    "link_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "clicks" INTEGER NOT NULL,

    CONSTRAINT "link_days_pkey" PRIMARY KEY ("link_id","day")
);

-- CreateIndex
CREATE INDEX "link_days_campaign_id_day_idx" ON "link_days"("campaign_id", "day");

-- AddForeignKey
ALTER TABLE "link_days" ADD CONSTRAINT "link_days_campaign_id_organization_id_fkey" FOREIGN KEY ("campaign_id", "organization_id") REFERENCES "campaigns"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_days" ADD CONSTRAINT "link_days_link_id_campaign_id_fkey" FOREIGN KEY ("link_id", "campaign_id") REFERENCES "links"("id", "campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table link_days add constraint link_days_clicks_positive check (clicks > 0);

create policy own_organization on link_days using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table link_days enable row level security, force row level security;
