import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMonths } from './add-months.ts';
import { isGranted } from './link-password.ts';
import { readOffer, reasonAgainst } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { reservationIdOf } from './reservation-token.ts';

type LookAtLink = { token: string; userId: string | null; passwordGrant: string | null; reservation?: string | null };

export type LinkView = {
  campaignName: string;
  sponsorName: string;
  durationMonths: number;
  includedSeats: number | null;
  needsPassword: boolean;
  sponsoredUntil: Date;
  heldUntil: string | null;
};

/** What the page behind a link shows. A place that is free now can be gone when it is asked for; one that is held can not. */
export async function lookAtLink(
  { token, userId, passwordGrant, reservation = null }: LookAtLink,
  { database, clock }: { database: Database; clock: Clock },
): Promise<LinkView> {
  const at = clock();
  const offer = await readOffer({ token, userId, reservationId: reservation && reservationIdOf(reservation), at }, { database });
  const { campaignName, sponsorName, durationMonths, includedSeats, heldUntil } = offer;
  const reason = reasonAgainst(offer, offer.email) ?? (offer.isExhausted && !heldUntil ? 'CAMPAIGN_EXHAUSTED' : null);
  if (reason) throw new RedemptionRefused(reason);
  const needsPassword = !heldUntil && !isGranted(offer, passwordGrant);
  return { campaignName, sponsorName, durationMonths, includedSeats, needsPassword, sponsoredUntil: addMonths(at, durationMonths), heldUntil };
}
