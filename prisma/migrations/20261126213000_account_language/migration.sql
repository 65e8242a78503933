-- CreateEnum
CREATE TYPE "language" AS ENUM ('EN', 'DE');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "language" "language";
