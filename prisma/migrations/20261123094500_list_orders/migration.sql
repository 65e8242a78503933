-- DropIndex
DROP INDEX "api_keys_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "api_keys_organization_id_user_id_idx";

-- DropIndex
DROP INDEX "redemptions_link_id_idx";

-- DropIndex
DROP INDEX "redemptions_organization_id_sponsored_until_idx";

-- CreateIndex
CREATE INDEX "api_keys_organization_id_kind_created_at_id_idx" ON "api_keys"("organization_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_keys_organization_id_user_id_created_at_id_idx" ON "api_keys"("organization_id", "user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "assistant_files_assistant_id_status_created_at_id_idx" ON "assistant_files"("assistant_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "assistant_files_organization_id_created_at_id_idx" ON "assistant_files"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "memberships_organization_id_role_user_created_at_user_id_idx" ON "memberships"("organization_id", "role", "user_created_at" DESC, "user_id" DESC);

-- CreateIndex
CREATE INDEX "redemptions_organization_id_sponsored_until_id_idx" ON "redemptions"("organization_id", "sponsored_until", "id");

-- CreateIndex
CREATE INDEX "redemptions_campaign_id_sponsored_until_id_idx" ON "redemptions"("campaign_id", "sponsored_until", "id");

-- CreateIndex
CREATE INDEX "redemptions_link_id_redeemed_at_id_idx" ON "redemptions"("link_id", "redeemed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "teams_organization_id_created_at_id_idx" ON "teams"("organization_id", "created_at" DESC, "id" DESC);

-- The models cannot express the following indexes. Each serves an order of a list: a page after a cursor is one range of the index.
create index assistants_name on assistants (organization_id, lower(name), id);
create index assistant_files_name on assistant_files (assistant_id, lower(original_name), id);
create index campaigns_name on campaigns (organization_id, lower(name), id);
create index campaigns_end on campaigns (organization_id, coalesce(expires_at, 'infinity'), id);
create index links_name on links (campaign_id, lower(name), id);

-- Most invitations of an old organization are accepted, and the list shows only the others.
create index invitations_open on invitations (organization_id, created_at desc, id desc) where accepted_at is null and revoked_at is null;
create index invitations_open_end on invitations (organization_id, expires_at, id) where accepted_at is null and revoked_at is null;
