-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "device" TEXT,
ADD COLUMN     "network" TEXT;
