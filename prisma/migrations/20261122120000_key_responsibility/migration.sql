-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "responsible_id" TEXT;

-- A role that row-level security narrows sees every organization until the end of this transaction.
select set_config('atrium.organization', '*', true);

-- Whoever made an organization's key answers for it. A key whose maker is an administrator no longer answers to nobody: it stays in
-- force, because its programs may be in use, and an administrator can see it in the list and take it over or revoke it.
update api_keys k set responsible_id = k.created_by_id where k.kind = 'ORGANIZATION'
  and exists (select from memberships m where m.organization_id = k.organization_id and m.user_id = k.created_by_id and m.role = 'ADMIN');

-- CreateIndex
CREATE INDEX "api_keys_organization_id_responsible_id_idx" ON "api_keys"("organization_id", "responsible_id");
