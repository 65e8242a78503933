import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { hashText } from '../../platform/hash.ts';
import { stateOf } from './invitation.ts';
import { requireOpen } from './invitation-refused.ts';
import { personName } from './person-name.ts';

/** What the page behind the link shows to whoever holds it. */
export type InvitationOffer = {
  organizationId: string;
  organizationName: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
  /** The name of who invites, or else their address; null where the account is gone. */
  invitedBy: string | null;
  expiresAt: Date;
  needsAccount: boolean;
  /** There is an account, made by an administrator, that nobody has signed in to yet. */
  needsPassword: boolean;
};

export async function previewInvitation(
  { token }: { token: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<InvitationOffer> {
  const invitation = await database.prisma.invitation.findUnique({
    where: { tokenHash: hashText(token) },
    select: {
      email: true,
      role: true,
      expiresAt: true,
      acceptedAt: true,
      revokedAt: true,
      organization: { select: { id: true, name: true } },
      invitedBy: { select: { firstName: true, lastName: true, email: true } },
    },
  });
  if (!invitation) throw notFound('Invitation');
  requireOpen(stateOf(invitation, clock()));
  const { email, role, expiresAt, organization, invitedBy } = invitation;
  const known = await database.prisma.user.findUnique({
    where: { email },
    select: { accounts: { select: { id: true }, take: 1 } },
  });
  return {
    ...{
      organizationId: organization.id,
      organizationName: organization.name,
      email,
      role,
      invitedBy: invitedBy && personName(invitedBy),
      expiresAt,
    },
    needsAccount: known === null,
    needsPassword: known?.accounts.length === 0,
  };
}
