-- CreateEnum
CREATE TYPE "assistant_color" AS ENUM ('GRAY', 'RED', 'ORANGE', 'GREEN', 'TEAL', 'BLUE', 'PURPLE', 'PINK');

-- AlterTable
ALTER TABLE "assistants" ADD COLUMN     "color" "assistant_color",
ADD COLUMN     "description" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "starter_questions" TEXT[] DEFAULT ARRAY[]::TEXT[];

alter table assistants add constraint assistants_starter_questions_present check (starter_questions is not null);
