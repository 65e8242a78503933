-- CreateIndex
CREATE INDEX "assistant_files_assistant_id_hash_idx" ON "assistant_files"("assistant_id", "hash");
