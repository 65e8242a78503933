import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { SponsorBranding } from '../branding/sponsor-branding.ts';
import { hasPasswordGrant } from '../links/link-password.ts';
import { addMonths } from '../redemptions/add-months.ts';
import {
  isLimited,
  type RedemptionRules,
  readOffer,
  refusalReasonFor,
  requiresVerifiedEmail,
} from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { reservationIdOf } from './reservation-token.ts';

type PreviewLinkInput = {
  token: string;
  userId: string | null;
  passwordGrant: string | null;
  reservation?: string | null;
};

export type LinkPreview = {
  campaignName: string;
  sponsorName: string;
  durationMonths: number;
  includedSeats: number | null;
  needsPassword: boolean;
  sponsoredUntil: Date;
  hasAllowList: boolean;
  heldUntil: string | null;
  branding: SponsorBranding;
};

/**
 * Reads what the page behind a link shows. Capacity that is free now can be gone when the visitor
 * reserves it; a reservation keeps it.
 */
export async function previewLink(
  { token, userId, passwordGrant, reservation = null }: PreviewLinkInput,
  { database, clock, ...rules }: { database: Database; clock: Clock } & RedemptionRules,
): Promise<LinkPreview> {
  const at = clock();
  const offer = await readOffer(
    { token, userId, reservationId: reservation && reservationIdOf(reservation), at },
    { database },
  );
  const { campaignName, sponsorName, durationMonths, includedSeats, heldUntil } = offer;
  const { displayName, sentence, accentColor, logoHash } = offer;
  const reason =
    refusalReasonFor(offer, offer.email) ??
    (requiresVerifiedEmail(offer, rules) ? 'EMAIL_NOT_VERIFIED' : null) ??
    (offer.isExhausted && !heldUntil ? 'CAMPAIGN_EXHAUSTED' : null);
  if (reason) throw new RedemptionRefused(reason);
  const needsPassword = !heldUntil && !hasPasswordGrant(offer, passwordGrant);
  const sponsoredUntil = addMonths(at, durationMonths);
  return {
    campaignName,
    sponsorName,
    durationMonths,
    includedSeats,
    needsPassword,
    sponsoredUntil,
    hasAllowList: isLimited(offer),
    heldUntil,
    branding: { displayName, sentence, accentColor, logoHash },
  };
}
