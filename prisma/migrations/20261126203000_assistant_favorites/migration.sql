-- CreateTable
CREATE TABLE "assistant_favorites" (
    "assistant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_favorites_pkey" PRIMARY KEY ("assistant_id","user_id")
);

-- CreateIndex
CREATE INDEX "assistant_favorites_organization_id_user_id_idx" ON "assistant_favorites"("organization_id", "user_id");

-- AddForeignKey
ALTER TABLE "assistant_favorites" ADD CONSTRAINT "assistant_favorites_assistant_id_organization_id_fkey" FOREIGN KEY ("assistant_id", "organization_id") REFERENCES "assistants"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assistant_favorites" ADD CONSTRAINT "assistant_favorites_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

create policy own_organization on assistant_favorites using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table assistant_favorites enable row level security, force row level security;
