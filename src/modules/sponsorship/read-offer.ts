import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { admits, hasAllowList } from './allow-list.ts';
import type { RefusalReason } from './refusal.ts';

/**
 * A link with its campaign, as one person meets it. Not for the outside: it holds the hash of the
 * password.
 */
export type Offer = {
  linkId: string;
  campaignId: string;
  organizationId: string;
  campaignName: string;
  sponsorName: string;
  durationMonths: number;
  includedSeats: number | null;
  allowedEmailDomains: string[];
  allowedEmails: string[];
  passwordHash: string | null;
  linkIsActive: boolean;
  campaignIsActive: boolean;
  isExpired: boolean;
  isExhausted: boolean;
  isRedeemed: boolean;
  /** The person's address; null for somebody without an account. */
  email: string | null;
  emailVerified: boolean;
  /**
   * Until when the reservation that was handed in holds a place at this link; null where it holds
   * none.
   */
  heldUntil: string | null;
};

type ReadOffer = { token: string; userId: string | null; reservationId?: string | null; at: Date };

const tokenForm = /^[0-9A-Za-z]{32}$/;

/** Whether this can be a link's token at all: it is whatever stood in somebody's address bar. */
export const isLinkToken = (text: string): boolean => tokenForm.test(text);

export async function readOffer(
  { token, userId, reservationId = null, at }: ReadOffer,
  { database }: { database: Database },
): Promise<Offer> {
  const [offer] = isLinkToken(token)
    ? await database.sql<Offer>`
        select l.id as "linkId", c.id as "campaignId", c.organization_id as "organizationId", c.name as "campaignName", o.name as "sponsorName",
          c.duration_months as "durationMonths", c.included_seats as "includedSeats",
          c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails",
          l.password_hash as "passwordHash", l.is_active as "linkIsActive", c.is_active as "campaignIsActive",
          coalesce(c.expires_at <= ${at}, false) as "isExpired",
          coalesce(c.completed_redemptions + c.reserved_redemptions - lapsed.count >= c.max_redemptions, false) as "isExhausted",
          exists (select from redemptions r where r.campaign_id = c.id and (r.user_id = ${userId} or r.user_email = u.email)) as "isRedeemed",
          u.email, coalesce(u.email_verified, false) as "emailVerified",
          (select r.expires_at from reservations r where r.id = ${reservationId} and r.link_id = l.id and r.expires_at > ${at}) as "heldUntil"
        from links l
        join campaigns c on c.id = l.campaign_id
        join organizations o on o.id = c.organization_id
        left join users u on u.id = ${userId}
        cross join lateral (select count(*)::int from reservations r where r.campaign_id = c.id and r.expires_at <= ${at}) lapsed
        where l.token = ${token}`
    : [];
  if (!offer) throw notFound('Link');
  return offer;
}

/** Why the offer is closed to everybody, whatever room it has; null where it is open. */
export function reasonToClose(offer: Offer): RefusalReason | null {
  if (!offer.linkIsActive) return 'LINK_INACTIVE';
  if (!offer.campaignIsActive) return 'CAMPAIGN_INACTIVE';
  return offer.isExpired ? 'CAMPAIGN_EXPIRED' : null;
}

/**
 * Why the offer is closed to a person, whatever room it has; null where it is open. Who holds a
 * place was promised it.
 */
export function reasonAgainst(offer: Offer, email: string | null): RefusalReason | null {
  const closed = offer.heldUntil ? null : reasonToClose(offer);
  if (closed) return closed;
  if (offer.isRedeemed) return 'ALREADY_REDEEMED';
  return email === null || admits(offer, email) ? null : 'EMAIL_NOT_ALLOWED';
}

/** What the operator decided about redemptions. */
export type RedemptionRules = {
  /**
   * Whether a campaign with an allow-list is redeemed with a verified address only: an address that
   * anybody can type proves nothing.
   */
  allowListNeedsVerifiedEmail?: boolean;
};

/** Whether somebody who has an account must confirm its address before this offer is theirs. */
export const mustVerify = (
  offer: Offer,
  { allowListNeedsVerifiedEmail = false }: RedemptionRules,
): boolean =>
  allowListNeedsVerifiedEmail &&
  offer.email !== null &&
  !offer.emailVerified &&
  hasAllowList(offer);
