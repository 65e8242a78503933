-- CreateEnum
CREATE TYPE "processing_status" AS ENUM ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED');

-- CreateEnum
CREATE TYPE "processing_stage" AS ENUM ('EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING');

-- CreateEnum
CREATE TYPE "access_level" AS ENUM ('VIEW', 'EDIT', 'OWNER');

-- CreateTable
CREATE TABLE "assistant_files" (
    "id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "original_name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "uploaded_by_id" TEXT,
    "status" "processing_status" NOT NULL DEFAULT 'PENDING',
    "stage" "processing_stage",
    "error_code" TEXT,
    "error_message" TEXT,
    "derivations" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "pages" INTEGER,
    "passages" INTEGER,
    "characters" INTEGER,
    "replaces_id" TEXT,
    "lease_holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_removals" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "collection" TEXT NOT NULL,
    "document" TEXT,
    "storage_keys" TEXT[],
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_removals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assistants" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "model" TEXT,
    "temperature" DOUBLE PRECISION,
    "step_limit" INTEGER NOT NULL DEFAULT 5,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assistant_shares" (
    "id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT,
    "team_id" TEXT,
    "level" "access_level" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "assistant_files_storage_key_key" ON "assistant_files"("storage_key");

-- CreateIndex
CREATE INDEX "assistant_files_assistant_id_created_at_id_idx" ON "assistant_files"("assistant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "assistant_files_status_next_attempt_at_idx" ON "assistant_files"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "file_removals_next_attempt_at_idx" ON "file_removals"("next_attempt_at");

-- CreateIndex
CREATE INDEX "assistants_organization_id_created_at_id_idx" ON "assistants"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "assistants_id_organization_id_key" ON "assistants"("id", "organization_id");

-- CreateIndex
CREATE INDEX "assistant_shares_organization_id_user_id_idx" ON "assistant_shares"("organization_id", "user_id");

-- CreateIndex
CREATE INDEX "assistant_shares_team_id_idx" ON "assistant_shares"("team_id");

-- CreateIndex
CREATE UNIQUE INDEX "assistant_shares_assistant_id_user_id_key" ON "assistant_shares"("assistant_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "assistant_shares_assistant_id_team_id_key" ON "assistant_shares"("assistant_id", "team_id");

-- AddForeignKey
ALTER TABLE "assistant_files" ADD CONSTRAINT "assistant_files_assistant_id_organization_id_fkey" FOREIGN KEY ("assistant_id", "organization_id") REFERENCES "assistants"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistant_shares" ADD CONSTRAINT "assistant_shares_assistant_id_organization_id_fkey" FOREIGN KEY ("assistant_id", "organization_id") REFERENCES "assistants"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistant_shares" ADD CONSTRAINT "assistant_shares_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistant_shares" ADD CONSTRAINT "assistant_shares_team_id_organization_id_fkey" FOREIGN KEY ("team_id", "organization_id") REFERENCES "teams"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What must hold whoever writes --------------------------------------------------------------------------------------

alter table assistants
  add constraint assistants_name_present check (length(name) between 1 and 200),
  add constraint assistants_temperature_range check (temperature between 0 and 2),
  add constraint assistants_step_limit_range check (step_limit between 1 and 20);

-- A share names a user, or a team, or nobody: then it is for everybody of the organization, and there is one of those.
alter table assistant_shares
  add constraint assistant_shares_one_holder check (user_id is null or team_id is null);
create unique index assistant_shares_one_for_all on assistant_shares (assistant_id) where user_id is null and team_id is null;

alter table assistant_files
  add constraint assistant_files_size_range check (size between 1 and 157286400),
  add constraint assistant_files_hash_is_sha256 check (hash ~ '^[0-9a-f]{64}$'),
  add constraint assistant_files_stage_fits check (stage is null or status = 'PROCESSING'),
  add constraint assistant_files_error_fits check ((status = 'FAILED') = (error_code is not null and error_message is not null));
