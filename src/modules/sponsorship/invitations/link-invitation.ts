import type { Language } from '../../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';

export const linkInvitationStates = [
  ...(['NOT_SENT', 'SENT', 'OPENED', 'REDEEMED', 'REVOKED', 'EXPIRED'] as const),
];
export type LinkInvitationState = (typeof linkInvitationStates)[number];

/** An invitation of one address to redeem a link once. */
export type LinkInvitation = {
  id: string;
  linkId: string;
  email: string;
  language: Language;
  createdAt: string;
  expiresAt: string;
  reminderDays: number | null;
  sentAt: string | null;
  mailCount: number;
  remindedAt: string | null;
  openedAt: string | null;
  redeemedAt: string | null;
  revokedAt: string | null;
};

/** The columns of `link_invitations i`. */
export const linkInvitationColumns = fragment`
  i.id, i.link_id as "linkId", i.email, i.language, i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.reminder_days as "reminderDays", i.sent_at as "sentAt", i.mail_count as "mailCount", i.reminded_at as "remindedAt",
  i.opened_at as "openedAt", i.redeemed_at as "redeemedAt", i.revoked_at as "revokedAt"`;

type StateFields = Pick<
  LinkInvitation,
  'redeemedAt' | 'revokedAt' | 'expiresAt' | 'openedAt' | 'sentAt'
>;

export function stateOf(
  { redeemedAt, revokedAt, expiresAt, openedAt, sentAt }: StateFields,
  at: Date,
): LinkInvitationState {
  if (redeemedAt) return 'REDEEMED';
  if (revokedAt) return 'REVOKED';
  if (new Date(expiresAt) <= at) return 'EXPIRED';
  if (openedAt) return 'OPENED';
  return sentAt ? 'SENT' : 'NOT_SENT';
}

/** The state of `link_invitations i` as `stateOf` computes it. */
export const stateAt = (at: Date): Fragment => fragment`
  case when i.redeemed_at is not null then 'REDEEMED' when i.revoked_at is not null then 'REVOKED'
    when i.expires_at <= ${at} then 'EXPIRED' when i.opened_at is not null then 'OPENED'
    when i.sent_at is not null then 'SENT' else 'NOT_SENT' end`;

/** Mails that an address gets for one campaign, and from one organization in a day. */
export const mailsPerAddressMax = 5;
