-- CreateEnum
CREATE TYPE "link_invitation_mail" AS ENUM ('INVITATION', 'REMINDER');

-- CreateTable
CREATE TABLE "link_invitations" (
    "id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "origin" TEXT NOT NULL,
    "language" "language" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "reminder_days" INTEGER,
    "next_mail" "link_invitation_mail",
    "mail_due_at" TIMESTAMPTZ(3),
    "mail_tries" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "mail_count" INTEGER NOT NULL DEFAULT 0,
    "reminded_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_invitation_days" (
    "organization_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "mails" INTEGER NOT NULL,

    CONSTRAINT "link_invitation_days_pkey" PRIMARY KEY ("organization_id","day")
);

-- CreateIndex
CREATE UNIQUE INDEX "link_invitations_token_hash_key" ON "link_invitations"("token_hash");

-- CreateIndex
CREATE INDEX "link_invitations_link_id_created_at_id_idx" ON "link_invitations"("link_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "link_invitations_organization_id_email_idx" ON "link_invitations"("organization_id", "email");

-- CreateIndex
CREATE INDEX "link_invitations_mail_due_at_idx" ON "link_invitations"("mail_due_at");

-- CreateIndex
CREATE INDEX "link_invitations_expires_at_idx" ON "link_invitations"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "link_invitations_campaign_id_email_key" ON "link_invitations"("campaign_id", "email");

-- AddForeignKey
ALTER TABLE "link_invitations" ADD CONSTRAINT "link_invitations_campaign_id_organization_id_fkey" FOREIGN KEY ("campaign_id", "organization_id") REFERENCES "campaigns"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_invitations" ADD CONSTRAINT "link_invitations_link_id_campaign_id_fkey" FOREIGN KEY ("link_id", "campaign_id") REFERENCES "links"("id", "campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_invitation_days" ADD CONSTRAINT "link_invitation_days_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table link_invitations
  add constraint link_invitations_mail_whole check ((next_mail is null) = (mail_due_at is null)),
  add constraint link_invitations_reminder_range check (reminder_days between 1 and 14);

create policy own_organization on link_invitations using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table link_invitations enable row level security, force row level security;

create policy own_organization on link_invitation_days using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table link_invitation_days enable row level security, force row level security;
