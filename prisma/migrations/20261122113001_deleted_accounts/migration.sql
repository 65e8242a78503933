-- AlterTable
ALTER TABLE "redemptions" ADD COLUMN     "user_email" TEXT,
ALTER COLUMN "user_id" DROP NOT NULL;

-- A deleted account leaves its redemptions to the partner's billing, with the address that they were made with.
ALTER TABLE "redemptions" DROP CONSTRAINT "redemptions_user_id_fkey";
ALTER TABLE "redemptions" ADD CONSTRAINT "redemptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "redemptions_user_email_idx" ON "redemptions"("user_email");
