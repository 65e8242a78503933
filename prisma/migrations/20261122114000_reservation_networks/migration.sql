-- AlterTable
ALTER TABLE "reservations" ADD COLUMN     "network" TEXT,
ADD COLUMN     "wide_network" TEXT;

-- CreateIndex
CREATE INDEX "reservations_wide_network_expires_at_idx" ON "reservations"("wide_network", "expires_at");
