-- AlterTable
ALTER TABLE "links" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "redemptions" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "assistant_files_assistant_id_updated_at_id_idx" ON "assistant_files"("assistant_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "campaigns_organization_id_updated_at_id_idx" ON "campaigns"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "links_campaign_id_updated_at_id_idx" ON "links"("campaign_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "memberships_organization_id_updated_at_user_id_idx" ON "memberships"("organization_id", "updated_at", "user_id");

-- CreateIndex
CREATE INDEX "redemptions_organization_id_updated_at_id_idx" ON "redemptions"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "redemptions_campaign_id_updated_at_id_idx" ON "redemptions"("campaign_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "teams_organization_id_updated_at_id_idx" ON "teams"("organization_id", "updated_at", "id");


-- What the models cannot express: the lists with `updatedSince` are in the order of these times. The time is that of the change and
-- not of the transaction's start, so that little time passes until others see it.

create function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;

-- Counters of a row are not listed here, so that updates of them write no index.
create trigger updated_at before update of name, is_active, password_hash on links for each row execute function set_updated_at();
create trigger updated_at before update of name on teams for each row execute function set_updated_at();
create trigger updated_at before update of role, accepted_at, given_first_name, given_last_name on memberships
  for each row execute function set_updated_at();
create trigger updated_at before update on redemptions for each row execute function set_updated_at();

-- An account is shown in each organization of its person, whichever of them the request is for.
create function touch_memberships() returns trigger language plpgsql as $$
declare
  scope text := coalesce(current_setting('atrium.organization', true), '');
begin
  perform set_config('atrium.organization', '*', true);
  update memberships set updated_at = clock_timestamp() where user_id = new.id;
  perform set_config('atrium.organization', scope, true);
  return null;
end $$;

create trigger touch_memberships after update of email, first_name, last_name on users for each row
  when (old.email <> new.email or old.first_name <> new.first_name or old.last_name <> new.last_name)
  execute function touch_memberships();
