-- CreateEnum
CREATE TYPE "notification_kind" AS ENUM ('FILE_FAILED', 'RUN_ENDED', 'ASSISTANT_SHARED', 'FEEDBACK_SHARED',
  'BUDGET_REACHED', 'WEBHOOK_FAILED', 'KEY_EXPIRES', 'ORGANIZATION_KEY_EXPIRES',
  'INVITATION_ACCEPTED', 'REDEMPTION_ENDS');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "muted_notifications" "notification_kind"[] DEFAULT ARRAY[]::"notification_kind"[];

-- CreateTable
CREATE TABLE "notifications" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" "notification_kind" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "assistant_id" TEXT,
    "conversation_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notifications_organization_id_user_id_created_at_id_idx"
  ON "notifications"("organization_id", "user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_user_id_fkey"
  FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id")
  ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table users alter column muted_notifications set not null;

create policy own_organization on notifications using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table notifications enable row level security, force row level security;
