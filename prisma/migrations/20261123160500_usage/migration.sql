-- CreateEnum
CREATE TYPE "usage_dimension" AS ENUM ('ORGANIZATION', 'USER', 'ASSISTANT', 'KEY', 'MODEL');

-- CreateTable
CREATE TABLE "usage_entries" (
    "run_id" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "user_id" TEXT,
    "key_id" TEXT,
    "model" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL,
    "embedding_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost" DECIMAL(38,18),
    "is_counted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "usage_entries_pkey" PRIMARY KEY ("run_id","step")
);

-- CreateTable
CREATE TABLE "usage_totals" (
    "organization_id" TEXT NOT NULL,
    "dimension" "usage_dimension" NOT NULL,
    "day" DATE NOT NULL,
    "value" TEXT NOT NULL,
    "runs" BIGINT NOT NULL,
    "steps" BIGINT NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "embedding_tokens" BIGINT NOT NULL,
    "cost" DECIMAL(38,18),

    CONSTRAINT "usage_totals_pkey" PRIMARY KEY ("organization_id","dimension","day","value")
);

-- CreateTable
CREATE TABLE "usage_erasures" (
    "user_id" TEXT NOT NULL,

    CONSTRAINT "usage_erasures_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "usage_entries_organization_id_at_idx" ON "usage_entries"("organization_id", "at");

-- CreateIndex
CREATE INDEX "usage_entries_user_id_at_idx" ON "usage_entries"("user_id", "at");

-- CreateIndex
CREATE INDEX "usage_totals_organization_id_dimension_value_day_idx" ON "usage_totals"("organization_id", "dimension", "value", "day");

-- The entries that the totals do not contain yet.
create index usage_entries_uncounted on usage_entries (organization_id, at) where not is_counted;

alter table usage_entries
  add constraint usage_entries_step_range check (step >= 1),
  add constraint usage_entries_tokens_range check (least(prompt_tokens, completion_tokens, cached_tokens, embedding_tokens) >= 0),
  add constraint usage_entries_cost_range check (cost >= 0);

create policy own_organization on usage_entries using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table usage_entries enable row level security, force row level security;

create policy own_organization on usage_totals using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table usage_totals enable row level security, force row level security;

-- A deleted account may have belonged to several organizations.
create policy nobody on usage_erasures using ((select current_setting('atrium.organization', true)) = '*');
alter table usage_erasures enable row level security, force row level security;
