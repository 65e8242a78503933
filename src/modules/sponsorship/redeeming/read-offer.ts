import type { Database } from '../../../platform/database/database.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { hashText } from '../../../platform/hash.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { brandingColumns, type SponsorBranding } from '../branding/sponsor-branding.ts';
import { hasAllowList, isEmailAllowed } from '../campaigns/allow-list.ts';
import type { RefusalReason } from './refusal.ts';

/**
 * A link with its campaign, as it applies to one person. It must not leave the server: it has the
 * hash of the password.
 */
export type LinkOffer = SponsorBranding & {
  linkId: string;
  campaignId: string;
  organizationId: string;
  campaignName: string;
  sponsorName: string;
  durationMonths: number;
  includedSeats: number | null;
  allowedEmailDomains: string[];
  allowedEmails: string[];
  /** Null without a password, and for an invitation, which needs none. */
  passwordHash: string | null;
  /** The invitation that the token belongs to, and its address; null for the token of the link. */
  invitationId: string | null;
  invitedEmail: string | null;
  /** Why the invitation cannot be redeemed; null if it can. */
  invitationEnd: 'INVITATION_USED' | 'INVITATION_REVOKED' | 'INVITATION_EXPIRED' | null;
  linkIsActive: boolean;
  campaignIsActive: boolean;
  isExpired: boolean;
  isExhausted: boolean;
  isRedeemed: boolean;
  /** The person's address; null if they have no account. */
  email: string | null;
  emailVerified: boolean;
  /**
   * When the person's reservation at this link expires, in whichever browser they made it; null
   * without a live reservation.
   */
  heldUntil: string | null;
};

type ReadOfferInput = {
  token: string;
  userId: string | null;
  reservationId?: string | null;
  at: Date;
};

const tokenForm = /^[0-9A-Za-z]{32}$/;

/**
 * Whether the text has the form of a link's or an invitation's token. It comes from the
 * address bar, so it can be
 * anything.
 */
export const isLinkToken = (text: string): boolean => tokenForm.test(text);

/** The link of a token, with the invitation if the token is that of an invitation. */
export const linksOfToken = (token: string): Fragment => fragment`
  select id as link_id, null as invitation_id from links where token = ${token}
  union all
  select link_id, id from link_invitations where token_hash = ${hashText(token)}`;

export async function readOffer(
  { token, userId, reservationId = null, at }: ReadOfferInput,
  { database }: { database: Database },
): Promise<LinkOffer> {
  const [offer] = isLinkToken(token)
    ? await database.sql<LinkOffer>`
        select l.id as "linkId", c.id as "campaignId", c.organization_id as "organizationId", c.name as "campaignName", coalesce(b.display_name, o.name) as "sponsorName",
          ${brandingColumns},
          c.duration_months as "durationMonths", c.included_seats as "includedSeats",
          c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails",
          case when i.id is null then l.password_hash end as "passwordHash", i.id as "invitationId", i.email as "invitedEmail",
          case when i.redeemed_at is not null then 'INVITATION_USED' when i.revoked_at is not null then 'INVITATION_REVOKED'
            when i.expires_at <= ${at} then 'INVITATION_EXPIRED' end as "invitationEnd",
          l.is_active as "linkIsActive", c.is_active as "campaignIsActive",
          coalesce(c.expires_at <= ${at}, false) as "isExpired",
          coalesce(c.completed_redemptions + c.reserved_redemptions - expired.count >= c.max_redemptions, false) as "isExhausted",
          exists (select from redemptions r where r.campaign_id = c.id and (r.user_id = ${userId} or r.user_email = u.email)) as "isRedeemed",
          u.email, coalesce(u.email_verified, false) as "emailVerified",
          (select max(r.expires_at) from reservations r
            where (r.id = ${reservationId} or r.user_id = ${userId}) and r.link_id = l.id and r.expires_at > ${at}) as "heldUntil"
        from (${linksOfToken(token)}) opened
        join links l on l.id = opened.link_id
        left join link_invitations i on i.id = opened.invitation_id
        join campaigns c on c.id = l.campaign_id
        join organizations o on o.id = c.organization_id
        left join sponsor_brandings b on b.organization_id = o.id
        left join users u on u.id = ${userId}
        cross join lateral (select count(*)::int from reservations r where r.campaign_id = c.id and r.expires_at <= ${at}) expired`
    : [];
  if (!offer) throw notFound('Link');
  return offer;
}

/** Why the offer is closed to everyone, apart from its capacity; null if it is open. */
export function closedReasonOf(offer: LinkOffer): RefusalReason | null {
  if (!offer.linkIsActive) return 'LINK_INACTIVE';
  if (!offer.campaignIsActive) return 'CAMPAIGN_INACTIVE';
  return offer.isExpired ? 'CAMPAIGN_EXPIRED' : null;
}

/**
 * Why the offer is refused to a person, apart from its capacity; null if it is not. A person with a
 * reservation keeps it even after the offer has been closed.
 */
export function refusalReasonFor(offer: LinkOffer, email: string | null): RefusalReason | null {
  const closedReason = offer.heldUntil ? null : closedReasonOf(offer);
  if (closedReason) return closedReason;
  if (offer.isRedeemed) return 'ALREADY_REDEEMED';
  const { invitationEnd } = offer;
  if (invitationEnd && !(offer.heldUntil && invitationEnd === 'INVITATION_EXPIRED'))
    return invitationEnd;
  return email === null || isAdmitted(offer, email) ? null : 'EMAIL_NOT_ALLOWED';
}

/** Whether the offer is open to an address: by the lists of the campaign, and as the invited one. */
export const isAdmitted = (offer: LinkOffer, email: string): boolean =>
  isEmailAllowed(offer, email) &&
  (offer.invitedEmail === null || offer.invitedEmail === parseEmailAddress(email));

/** Whether the offer is open to some addresses only. */
export const isLimited = (offer: LinkOffer): boolean =>
  offer.invitationId !== null || hasAllowList(offer);

/** The operator's settings for redemptions. */
export type RedemptionRules = {
  /**
   * Whether a campaign with an allow-list requires a verified address: anybody can type an address
   * that is on the list.
   */
  allowListNeedsVerifiedEmail?: boolean;
};

/** Whether a person with an account must confirm its address before they can redeem the offer. */
export const requiresVerifiedEmail = (
  offer: LinkOffer,
  { allowListNeedsVerifiedEmail = false }: RedemptionRules,
): boolean =>
  offer.email !== null &&
  !offer.emailVerified &&
  (offer.invitationId !== null || (allowListNeedsVerifiedEmail && hasAllowList(offer)));
