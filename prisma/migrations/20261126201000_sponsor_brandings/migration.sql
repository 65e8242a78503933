-- CreateEnum
CREATE TYPE "logo_type" AS ENUM ('PNG', 'JPEG', 'WEBP');

-- CreateTable
CREATE TABLE "sponsor_brandings" (
    "organization_id" TEXT NOT NULL,
    "display_name" TEXT,
    "sentence" TEXT,
    "accent_color" INTEGER,
    "logo" BYTEA,
    "logo_type" "logo_type",
    "logo_hash" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sponsor_brandings_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "sponsor_brandings_logo_hash_idx" ON "sponsor_brandings"("logo_hash");

-- AddForeignKey
ALTER TABLE "sponsor_brandings" ADD CONSTRAINT "sponsor_brandings_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table sponsor_brandings
  add constraint sponsor_brandings_accent_range check (accent_color between 0 and 16777215),
  add constraint sponsor_brandings_logo_whole check (num_nulls(logo, logo_type, logo_hash) in (0, 3)),
  add constraint sponsor_brandings_logo_size check (octet_length(logo) <= 204800);

create policy own_organization on sponsor_brandings using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table sponsor_brandings enable row level security, force row level security;
