-- CreateEnum
CREATE TYPE "conversation_role" AS ENUM ('USER', 'ASSISTANT');

-- CreateEnum
CREATE TYPE "conversation_message_state" AS ENUM ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED');

-- AlterTable
ALTER TABLE "file_removals" ALTER COLUMN "collection" DROP NOT NULL;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "keeps_conversations" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "keeps_run_content" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "redacts_content" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "retention_days" INTEGER NOT NULL DEFAULT 365;

-- CreateTable
CREATE TABLE "conversations" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "title" TEXT,
    "is_pinned" BOOLEAN NOT NULL DEFAULT false,
    "active_message_id" TEXT,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "characters" INTEGER NOT NULL DEFAULT 0,
    "share_token_hash" BYTEA,
    "shared_message_id" TEXT,
    "shared_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_messages" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "position" INTEGER NOT NULL,
    "role" "conversation_role" NOT NULL,
    "content" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "state" "conversation_message_state" NOT NULL DEFAULT 'COMPLETED',
    "run_id" TEXT,
    "model" TEXT,
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "error_code" TEXT,
    "citations" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "citation_details" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_attachments" (
    "id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "original_name" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_attachments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "conversations_share_token_hash_key" ON "conversations"("share_token_hash");

-- CreateIndex
CREATE INDEX "conversations_organization_id_user_id_updated_at_id_idx" ON "conversations"("organization_id", "user_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversations_organization_id_user_id_assistant_id_updated__idx" ON "conversations"("organization_id", "user_id", "assistant_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversations_organization_id_updated_at_idx" ON "conversations"("organization_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_id_organization_id_key" ON "conversations"("id", "organization_id");

-- CreateIndex
CREATE INDEX "conversation_messages_parent_id_idx" ON "conversation_messages"("parent_id");

-- CreateIndex
CREATE INDEX "conversation_messages_run_id_idx" ON "conversation_messages"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversation_messages_id_conversation_id_key" ON "conversation_messages"("id", "conversation_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversation_messages_conversation_id_position_key" ON "conversation_messages"("conversation_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "conversation_attachments_storage_key_key" ON "conversation_attachments"("storage_key");

-- CreateIndex
CREATE INDEX "conversation_attachments_conversation_id_idx" ON "conversation_attachments"("conversation_id");

-- CreateIndex
CREATE INDEX "conversation_attachments_message_id_idx" ON "conversation_attachments"("message_id");

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_organization_id_fkey" FOREIGN KEY ("conversation_id", "organization_id") REFERENCES "conversations"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_parent_id_conversation_id_fkey" FOREIGN KEY ("parent_id", "conversation_id") REFERENCES "conversation_messages"("id", "conversation_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_attachments" ADD CONSTRAINT "conversation_attachments_conversation_id_organization_id_fkey" FOREIGN KEY ("conversation_id", "organization_id") REFERENCES "conversations"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_attachments" ADD CONSTRAINT "conversation_attachments_message_id_conversation_id_fkey" FOREIGN KEY ("message_id", "conversation_id") REFERENCES "conversation_messages"("id", "conversation_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security ------------------------------------------------------------------------------------------------

do $$
declare
  owned text;
begin
  foreach owned in array array['conversations', 'conversation_messages', 'conversation_attachments'] loop
    execute format($policy$
      create policy own_organization on %I using (
        (select current_setting('atrium.organization', true)) = '*'
        or organization_id = (select current_setting('atrium.organization', true)))$policy$, owned);
    execute format('alter table %I enable row level security, force row level security', owned);
  end loop;
end $$;

-- Attachments -------------------------------------------------------------------------------------------------------
-- However an attachment is deleted, by itself or with its conversation, its membership or its account, the stored file is removed.

create function remove_attachments() returns trigger language plpgsql as $$
begin
  insert into file_removals (id, organization_id, storage_keys, created_at)
  select gen_random_uuid()::text, organization_id, array_agg(storage_key), clock_timestamp() from removed_rows group by organization_id;
  return null;
end $$;

create trigger conversation_attachments_removed after delete on conversation_attachments
  referencing old table as removed_rows for each statement execute function remove_attachments();

-- Runs --------------------------------------------------------------------------------------------------------------
-- The content that is kept for readers of a durable run ends with its conversation. The record of the run stays.

create index runs_of_conversations on runs (conversation_id) where conversation_id is not null;

create function erase_runs_of_conversations() returns trigger language plpgsql as $$
begin
  delete from run_contents c using runs r, removed_rows d where c.run_id = r.id and r.conversation_id = d.id;
  update runs r set conversation_id = null from removed_rows d where r.conversation_id = d.id;
  return null;
end $$;

create trigger conversations_removed after delete on conversations
  referencing old table as removed_rows for each statement execute function erase_runs_of_conversations();
