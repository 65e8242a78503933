-- CreateTable
CREATE TABLE "run_receipts" (
    "run_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "question_hash" TEXT NOT NULL,
    "answer_hash" TEXT NOT NULL,

    CONSTRAINT "run_receipts_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "run_citations" (
    "run_id" TEXT NOT NULL,
    "marker" INTEGER NOT NULL,
    "organization_id" TEXT NOT NULL,
    "document_id" TEXT,
    "version_id" TEXT,
    "page" INTEGER,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "run_citations_pkey" PRIMARY KEY ("run_id","marker")
);

-- CreateTable
CREATE TABLE "receipt_keys" (
    "id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "encrypted_private_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "receipt_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_receipts_run_id_organization_id_key" ON "run_receipts"("run_id", "organization_id");

-- AddForeignKey
ALTER TABLE "run_receipts" ADD CONSTRAINT "run_receipts_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "runs"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_citations" ADD CONSTRAINT "run_citations_run_id_organization_id_fkey" FOREIGN KEY ("run_id", "organization_id") REFERENCES "run_receipts"("run_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

ALTER TABLE "run_receipts"
  ADD CONSTRAINT "run_receipts_have_hashes" CHECK ("question_hash" ~ '^[0-9a-f]{64}$' AND "answer_hash" ~ '^[0-9a-f]{64}$');
ALTER TABLE "run_citations"
  ADD CONSTRAINT "run_citations_have_hashes" CHECK ("hash" ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "run_citations_name_a_range" CHECK ("start" >= 0 AND "start" <= "end");

-- Several processes on one database sign with the same key: only one key is not retired.
CREATE UNIQUE INDEX "receipt_keys_one_signs" ON "receipt_keys" (("retired_at" IS NULL)) WHERE "retired_at" IS NULL;
ALTER TABLE "receipt_keys"
  ADD CONSTRAINT "receipt_keys_sign_or_are_retired" CHECK (("retired_at" IS NULL) = ("encrypted_private_key" IS NOT NULL));

create policy own_organization on run_receipts using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table run_receipts enable row level security, force row level security;

create policy own_organization on run_citations using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table run_citations enable row level security, force row level security;

-- No organization reads the keys: they sign the receipts of all.
create policy nobody on receipt_keys using ((select current_setting('atrium.organization', true)) = '*');
alter table receipt_keys enable row level security, force row level security;
