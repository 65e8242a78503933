import type { Transaction } from '../../../platform/database/open-transaction.ts';
import type { LinkOffer } from '../redeeming/read-offer.ts';

type RedeemInvitationInput = {
  offer: LinkOffer;
  email: string;
  reservationId: string;
  userId: string;
  at: Date;
};

/**
 * Marks the invitation of an address to the campaign as redeemed, also if the person came by the
 * link itself. Returns false if the person came by an invitation that can no longer be redeemed. An
 * invitation that has expired can, with a reservation from before.
 */
export async function redeemInvitation(
  {
    offer: { invitationId, campaignId, linkId },
    email,
    reservationId,
    userId,
    at,
  }: RedeemInvitationInput,
  { sql }: Transaction,
): Promise<boolean> {
  const redeemed = await sql<{ id: string }>`
    update link_invitations i set redeemed_at = ${at}, next_mail = null, mail_due_at = null
    where i.campaign_id = ${campaignId} and i.email = ${email} and i.redeemed_at is null and i.revoked_at is null
      and (i.expires_at > ${at} or exists (
        select from reservations r where (r.id = ${reservationId} or r.user_id = ${userId}) and r.link_id = ${linkId} and r.expires_at > ${at}))
    returning i.id`;
  return invitationId === null || redeemed.some(({ id }) => id === invitationId);
}
