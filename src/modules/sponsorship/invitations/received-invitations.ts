import type { Transaction } from '../../../platform/database/open-transaction.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type LinkInvitation, type LinkInvitationState, stateAt } from './link-invitation.ts';

type ReceivedInvitation = Omit<LinkInvitation, 'id' | 'linkId' | 'mailCount'> & {
  campaign: { name: string };
  sponsor: { id: string; name: string };
  state: LinkInvitationState;
};

/**
 * The invitations to an address of all partners, the newest first, for the export of a person's
 * data. The caller has checked that the address is the person's.
 */
export const readReceivedLinkInvitations = (
  { email, at }: { email: string; at: Date },
  sql: Sql,
): Promise<ReceivedInvitation[]> => sql<ReceivedInvitation>`
  select json_build_object('name', c.name) as campaign, json_build_object('id', o.id, 'name', o.name) as sponsor,
    i.email, ${stateAt(at)} as state, i.language, i.created_at as "createdAt", i.expires_at as "expiresAt",
    i.reminder_days as "reminderDays", i.sent_at as "sentAt", i.reminded_at as "remindedAt", i.opened_at as "openedAt",
    i.redeemed_at as "redeemedAt", i.revoked_at as "revokedAt"
  from link_invitations i join campaigns c on c.id = i.campaign_id join organizations o on o.id = i.organization_id
  where i.email = ${email} order by i.created_at desc, i.id desc`;

/** Deletes the invitations to the address of a person who deletes their account. */
export function eraseReceivedLinkInvitations(
  { email }: { email: string },
  tx: Pick<Transaction, 'enqueue'>,
): void {
  tx.enqueue`delete from link_invitations where email = ${email}`;
}
