-- CreateIndex
CREATE INDEX "redemptions_organization_id_redeemed_at_id_idx" ON "redemptions"("organization_id", "redeemed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "redemptions_organization_id_billing_status_redeemed_at_id_idx" ON "redemptions"("organization_id", "billing_status", "redeemed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "redemptions_user_id_idx" ON "redemptions"("user_id");

-- Workspaces are found by any part of their name.
create index organizations_name_search on organizations using gin (lower(name) gin_trgm_ops);
