-- CreateTable
CREATE TABLE "document_usage" (
    "day" DATE NOT NULL,
    "document" TEXT NOT NULL,
    "operations" TEXT[],
    "coordinates" TEXT[],
    "uses" BIGINT NOT NULL,

    CONSTRAINT "document_usage_pkey" PRIMARY KEY ("day","document")
);

-- No organization reads it: it is for those who develop and operate the schema.
create policy nobody on document_usage using ((select current_setting('atrium.organization', true)) = '*');
alter table document_usage enable row level security, force row level security;
