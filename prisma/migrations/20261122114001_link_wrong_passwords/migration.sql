-- AlterTable
ALTER TABLE "links" ADD COLUMN     "wrong_password_times" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];
