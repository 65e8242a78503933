import { rateLimited } from '../../../platform/errors.ts';
import { requireMail } from '../../../platform/mail/mail.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { change, type Writer } from '../../audit/record-change.ts';
import { RedemptionRefused } from '../redeeming/refusal.ts';
import { countMails } from './count-mails.ts';
import { type LinkInvitation, mailsPerAddressMax, stateOf } from './link-invitation.ts';
import { lockLinkInvitation } from './lock-link-invitation.ts';

const hourMs = 3_600_000;

/** Sends an invitation again that can still be redeemed, at most once an hour. */
export async function resendLinkInvitation(
  { id }: { id: string },
  { mail, ...writer }: Writer & { mail: Pick<Mailer, 'kind'> },
): Promise<LinkInvitation> {
  requireMail(mail);
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const invitation = await lockLinkInvitation({ organizationId, id }, tx);
    const state = stateOf(invitation, at);
    if (state === 'REDEEMED') throw new RedemptionRefused('INVITATION_USED');
    if (state === 'REVOKED') throw new RedemptionRefused('INVITATION_REVOKED');
    if (state === 'EXPIRED') throw new RedemptionRefused('INVITATION_EXPIRED');
    requireFewMails(invitation, at);
    await countMails({ organizationId, mails: 1, at }, tx);
    tx.enqueue`
      update link_invitations set next_mail = 'INVITATION', mail_due_at = ${at}, mail_tries = 0 where id = ${id}`;
    record({
      action: 'resend-link-invitation',
      targetType: 'LinkInvitation',
      targetId: id,
      changes: { linkId: invitation.linkId, email: invitation.email },
    });
    return invitation;
  });
}

function requireFewMails({ sentAt, expiresAt, mailCount }: LinkInvitation, at: Date): void {
  if (mailCount >= mailsPerAddressMax)
    throw rateLimited(
      `This address got ${mailCount} mails already; give the person the address of the link instead`,
      Math.ceil((Date.parse(expiresAt) - at.getTime()) / 1_000),
      'INVITATION_SENT_OFTEN',
    );
  const waitMs = sentAt === null ? 0 : Date.parse(sentAt) + hourMs - at.getTime();
  if (waitMs > 0)
    throw rateLimited(
      `This invitation was sent less than an hour ago; try again in ${Math.ceil(waitMs / 60_000)} min.`,
      Math.ceil(waitMs / 1_000),
      'INVITATION_SENT_RECENTLY',
    );
}
