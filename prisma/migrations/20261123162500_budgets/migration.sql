-- CreateEnum
CREATE TYPE "budget_scope" AS ENUM ('ORGANIZATION', 'TEAM', 'USER', 'KEY', 'ASSISTANT');

-- CreateEnum
CREATE TYPE "budget_metric" AS ENUM ('TOKENS', 'COST', 'RUNS');

-- CreateEnum
CREATE TYPE "budget_period" AS ENUM ('DAY', 'MONTH', 'TOTAL');

-- CreateEnum
CREATE TYPE "budget_mode" AS ENUM ('WARN', 'BLOCK');

-- CreateTable
CREATE TABLE "budgets" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "scope" "budget_scope" NOT NULL,
    "scope_id" TEXT,
    "metric" "budget_metric" NOT NULL,
    "period" "budget_period" NOT NULL,
    "limit_amount" DECIMAL(38,18) NOT NULL,
    "mode" "budget_mode" NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "used" DECIMAL(38,18) NOT NULL DEFAULT 0,
    "reserved" DECIMAL(38,18) NOT NULL DEFAULT 0,
    "notified_percent" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_reservations" (
    "budget_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("budget_id","run_id")
);

-- CreateIndex
CREATE INDEX "budgets_organization_id_created_at_id_idx" ON "budgets"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "budgets_id_organization_id_key" ON "budgets"("id", "organization_id");

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_budget_id_organization_id_fkey" FOREIGN KEY ("budget_id", "organization_id") REFERENCES "budgets"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

alter table budgets
  add constraint budgets_scope_id check ((scope = 'ORGANIZATION') = (scope_id is null)),
  add constraint budgets_limit_range check (limit_amount > 0),
  add constraint budgets_counters_range check (used >= 0 and reserved >= 0),
  add constraint budgets_notified_percent check (notified_percent in (0, 80, 100));

alter table budget_reservations add constraint budget_reservations_amount_range check (amount >= 0);

create policy own_organization on budgets using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table budgets enable row level security, force row level security;

create policy own_organization on budget_reservations using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table budget_reservations enable row level security, force row level security;
