-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");
