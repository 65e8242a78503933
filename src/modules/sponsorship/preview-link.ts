import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMonths } from './add-months.ts';
import { hasAllowList } from './allow-list.ts';
import { isGranted } from './link-password.ts';
import { mustVerify, type RedemptionRules, readOffer, reasonAgainst } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { reservationIdOf } from './reservation-token.ts';

type LookAtLink = {
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
};

/**
 * What the page behind a link shows. A place that is free now can be gone when it is asked for; one
 * that is held can not.
 */
export async function previewLink(
  { token, userId, passwordGrant, reservation = null }: LookAtLink,
  { database, clock, ...rules }: { database: Database; clock: Clock } & RedemptionRules,
): Promise<LinkPreview> {
  const at = clock();
  const offer = await readOffer(
    { token, userId, reservationId: reservation && reservationIdOf(reservation), at },
    { database },
  );
  const { campaignName, sponsorName, durationMonths, includedSeats, heldUntil } = offer;
  const reason =
    reasonAgainst(offer, offer.email) ??
    (mustVerify(offer, rules) ? 'EMAIL_NOT_VERIFIED' : null) ??
    (offer.isExhausted && !heldUntil ? 'CAMPAIGN_EXHAUSTED' : null);
  if (reason) throw new RedemptionRefused(reason);
  const needsPassword = !heldUntil && !isGranted(offer, passwordGrant);
  const sponsoredUntil = addMonths(at, durationMonths);
  return {
    campaignName,
    sponsorName,
    durationMonths,
    includedSeats,
    needsPassword,
    sponsoredUntil,
    hasAllowList: hasAllowList(offer),
    heldUntil,
  };
}
