import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { hashText } from '../../platform/hash.ts';
import { stateOf } from './invitation.ts';
import { requireOpen } from './invitation-refused.ts';
import { personName } from './person-name.ts';

/** The data of the page behind the link, for every person who has the link. */
export type InvitationOffer = {
  organizationId: string;
  organizationName: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
  /** The name or address of the person who invites; null if their account was deleted. */
  invitedBy: string | null;
  expiresAt: Date;
  needsAccount: boolean;
  /** True for an account that an administrator created and that has no way to sign in yet. */
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
  const user = await database.prisma.user.findUnique({
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
    needsAccount: user === null,
    needsPassword: user?.accounts.length === 0,
  };
}
