-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "last_run_turn_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "content_until" TIMESTAMPTZ(3),
ADD COLUMN     "next_attempt_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "run_contents" (
    "run_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "sent_passages" TEXT NOT NULL,
    "fence" TEXT NOT NULL,
    "result" TEXT,
    "error_message" TEXT,

    CONSTRAINT "run_contents_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "run_step_contents" (
    "run_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "messages" TEXT NOT NULL,
    "requests_tools" BOOLEAN NOT NULL,

    CONSTRAINT "run_step_contents_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "run_tool_results" (
    "run_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "output" TEXT NOT NULL,
    "is_error" BOOLEAN NOT NULL,
    "passages" TEXT NOT NULL,

    CONSTRAINT "run_tool_results_pkey" PRIMARY KEY ("run_id","token")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","sequence")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_contents_run_id_organization_id_key" ON "run_contents"("run_id", "organization_id");

-- AddForeignKey
ALTER TABLE "run_contents" ADD CONSTRAINT "run_contents_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "runs"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_step_contents" ADD CONSTRAINT "run_step_contents_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "run_contents"("run_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_tool_results" ADD CONSTRAINT "run_tool_results_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "run_contents"("run_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "run_contents"("run_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

-- Who waits is read organization by organization, so that a claim costs the same however many runs
-- one of them has queued. Runs that have ended are in none of these indexes.
create index runs_unfinished on runs (organization_id, state, created_at, id) where is_durable and state in ('QUEUED', 'RUNNING');
create index runs_leased on runs (lease_until) where state in ('QUEUED', 'RUNNING');
create index runs_with_content on runs (content_until) where content_until is not null;

do $$
declare
  content text;
begin
  foreach content in array array['run_contents', 'run_step_contents', 'run_tool_results', 'run_events'] loop
    execute format($policy$
      create policy own_organization on %I using (
        (select current_setting('atrium.organization', true)) = '*'
        or organization_id = (select current_setting('atrium.organization', true)))$policy$, content);
    execute format('alter table %I enable row level security, force row level security', content);
  end loop;
end $$;
