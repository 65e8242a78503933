-- CreateTable
CREATE TABLE "schema_usage" (
    "day" DATE NOT NULL,
    "coordinate" TEXT NOT NULL,
    "uses" BIGINT NOT NULL,

    CONSTRAINT "schema_usage_pkey" PRIMARY KEY ("day","coordinate")
);

-- No organization reads it: it is for those who develop and operate the schema.
create policy nobody on schema_usage using ((select current_setting('atrium.organization', true)) = '*');
alter table schema_usage enable row level security, force row level security;
