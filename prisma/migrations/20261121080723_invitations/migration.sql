-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "team_id" TEXT,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_organization_id_created_at_id_idx" ON "invitations"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "invitations_team_id_idx" ON "invitations"("team_id");

-- CreateIndex
CREATE INDEX "invitations_invited_by_id_idx" ON "invitations"("invited_by_id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_actor_user_id_at_id_idx" ON "audit_entries"("organization_id", "actor_user_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_actor_key_id_at_id_idx" ON "audit_entries"("organization_id", "actor_key_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_action_at_id_idx" ON "audit_entries"("organization_id", "action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_target_id_at_id_idx" ON "audit_entries"("organization_id", "target_id", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- One open invitation for each address of an organization.
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations"("organization_id", "email") WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;

ALTER TABLE "invitations"
  ADD CONSTRAINT "invitations_token_hash_is_sha256" CHECK (octet_length("token_hash") = 32),
  ADD CONSTRAINT "invitations_end_once" CHECK ("accepted_at" IS NULL OR "revoked_at" IS NULL);
