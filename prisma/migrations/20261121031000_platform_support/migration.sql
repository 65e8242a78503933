-- AlterTable
ALTER TABLE "users" ADD COLUMN     "is_platform_support" BOOLEAN NOT NULL DEFAULT false;
