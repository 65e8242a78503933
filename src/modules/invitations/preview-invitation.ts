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
  expiresAt: string;
  needsAccount: boolean;
  /** True for an account that an administrator created and that has no way to sign in yet. */
  needsPassword: boolean;
};

type InvitationRow = Omit<InvitationOffer, 'invitedBy'> & {
  acceptedAt: string | null;
  revokedAt: string | null;
  firstName: string | null;
  lastName: string | null;
  senderEmail: string | null;
};

export async function previewInvitation(
  { token }: { token: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<InvitationOffer> {
  const [invitation] = await database.sql<InvitationRow>`
    select i.organization_id as "organizationId", o.name as "organizationName", i.email, i.role,
      i.expires_at as "expiresAt", i.accepted_at as "acceptedAt", i.revoked_at as "revokedAt",
      s.first_name as "firstName", s.last_name as "lastName", s.email as "senderEmail",
      u.id is null as "needsAccount", u.id is not null and not exists (select from accounts where user_id = u.id) as "needsPassword"
    from invitations i join organizations o on o.id = i.organization_id
      left join users s on s.id = i.invited_by_id left join users u on u.email = i.email
    where i.token_hash = ${hashText(token)}`;
  if (!invitation) throw notFound('Invitation');
  requireOpen(stateOf(invitation, clock()));
  const { acceptedAt: _, revokedAt: __, firstName, lastName, senderEmail, ...offer } = invitation;
  const invitedBy =
    senderEmail === null
      ? null
      : personName({ firstName: firstName ?? '', lastName: lastName ?? '', email: senderEmail });
  return { ...offer, invitedBy };
}
