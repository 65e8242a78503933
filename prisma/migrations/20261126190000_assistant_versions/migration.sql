-- AlterTable
ALTER TABLE "assistants" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "assistant_versions" (
    "id" TEXT NOT NULL,
    "assistant_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "model" TEXT,
    "temperature" DOUBLE PRECISION,
    "step_limit" INTEGER NOT NULL,
    "starter_questions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "color" "assistant_color",
    "restored_number" INTEGER,
    "author_user_id" TEXT,
    "author_key_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "assistant_versions_assistant_id_number_key" ON "assistant_versions"("assistant_id", "number");

-- AddForeignKey
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_assistant_id_organization_id_fkey" FOREIGN KEY ("assistant_id", "organization_id") REFERENCES "assistants"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table assistant_versions
  add constraint assistant_versions_starter_questions_present check (starter_questions is not null),
  add constraint assistant_versions_number_range check (number >= 1);

create policy own_organization on assistant_versions using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table assistant_versions enable row level security, force row level security;

-- A role that row-level security narrows sees every organization until the end of this transaction.
select set_config('atrium.organization', '*', true);

-- What an assistant is now is its first version. Nobody knows who made it so.
insert into assistant_versions (id, assistant_id, organization_id, number, name, description, instructions, model,
  temperature, step_limit, starter_questions, color, created_at)
select gen_random_uuid()::text, id, organization_id, version, name, description, instructions, model,
  temperature, step_limit, starter_questions, color, updated_at from assistants;
