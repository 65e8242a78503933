-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "last_answer" TEXT;
