-- AlterTable
ALTER TABLE "assistant_files" ADD COLUMN     "notices" JSONB NOT NULL DEFAULT '[]';
