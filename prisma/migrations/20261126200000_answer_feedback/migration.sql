-- CreateEnum
CREATE TYPE "feedback_mark" AS ENUM ('GOOD', 'BAD');

-- CreateEnum
CREATE TYPE "feedback_reason" AS ENUM ('WRONG', 'INCOMPLETE', 'NOT_FROM_SOURCES', 'OUTDATED', 'OTHER');

-- CreateTable
CREATE TABLE "answer_feedback" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "mark" "feedback_mark" NOT NULL,
    "reason" "feedback_reason",
    "comment" TEXT NOT NULL DEFAULT '',
    "shared_question" TEXT,
    "shared_answer" TEXT,
    "given_on" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "answer_feedback_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "answer_feedback_organization_id_assistant_id_given_on_id_idx" ON "answer_feedback"("organization_id", "assistant_id", "given_on" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "answer_feedback_conversation_id_idx" ON "answer_feedback"("conversation_id");

-- CreateIndex
CREATE UNIQUE INDEX "answer_feedback_message_id_user_id_key" ON "answer_feedback"("message_id", "user_id");

-- AddForeignKey
ALTER TABLE "answer_feedback" ADD CONSTRAINT "answer_feedback_conversation_id_organization_id_fkey" FOREIGN KEY ("conversation_id", "organization_id") REFERENCES "conversations"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "answer_feedback" ADD CONSTRAINT "answer_feedback_message_id_conversation_id_fkey" FOREIGN KEY ("message_id", "conversation_id") REFERENCES "conversation_messages"("id", "conversation_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table answer_feedback
  add constraint answer_feedback_reason_of_bad check (reason is null or mark = 'BAD'),
  add constraint answer_feedback_shared_together check ((shared_question is null) = (shared_answer is null)),
  add constraint answer_feedback_given_on_day check (given_on = date_trunc('day', given_on at time zone 'UTC') at time zone 'UTC');

create policy own_organization on answer_feedback using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table answer_feedback enable row level security, force row level security;
