-- CreateIndex
CREATE INDEX "link_invitations_email_idx" ON "link_invitations"("email");
