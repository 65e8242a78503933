-- CreateTable
CREATE TABLE "idempotent_requests" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "run_id" TEXT NOT NULL,
    "alive_until" TIMESTAMPTZ(3) NOT NULL,
    "steps" BYTEA[],
    "answer" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("organization_id","user_id","key")
);

-- CreateIndex
CREATE INDEX "idempotent_requests_expires_at_idx" ON "idempotent_requests"("expires_at");

-- AddForeignKey
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "idempotent_requests"
  ADD CONSTRAINT "idempotent_requests_key_shape" CHECK ("key" ~ '^[!-~]{1,255}$'),
  ADD CONSTRAINT "idempotent_requests_fingerprint_is_sha256" CHECK (octet_length("fingerprint") = 32),
  ADD CONSTRAINT "idempotent_requests_steps_present" CHECK ("steps" IS NOT NULL);
