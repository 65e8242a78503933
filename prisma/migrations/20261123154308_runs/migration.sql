-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED');

-- CreateTable
CREATE TABLE "runs" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "assistant_version" TIMESTAMPTZ(3) NOT NULL,
    "user_id" TEXT,
    "key_id" TEXT,
    "conversation_id" TEXT,
    "is_durable" BOOLEAN NOT NULL DEFAULT false,
    "state" "run_state" NOT NULL,
    "model" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "lease_holder" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "step_count" INTEGER NOT NULL DEFAULT 0,
    "prompt_tokens" INTEGER NOT NULL DEFAULT 0,
    "completion_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_tokens" INTEGER NOT NULL DEFAULT 0,
    "error_code" TEXT,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_steps" (
    "run_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL,

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateIndex
CREATE INDEX "runs_organization_id_user_id_created_at_id_idx" ON "runs"("organization_id", "user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "runs_id_organization_id_key" ON "runs"("id", "organization_id");

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "runs"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

ALTER TABLE "runs"
  ADD CONSTRAINT "runs_end_in_a_final_state" CHECK (("ended_at" IS NULL) = ("state" IN ('QUEUED', 'RUNNING'))),
  ADD CONSTRAINT "runs_count_tokens" CHECK ("prompt_tokens" >= 0 AND "completion_tokens" >= 0 AND "cached_tokens" >= 0);

create policy own_organization on runs using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table runs enable row level security, force row level security;

create policy own_organization on run_steps using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table run_steps enable row level security, force row level security;
