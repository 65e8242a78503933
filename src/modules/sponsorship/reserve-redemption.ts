import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isGranted } from './link-password.ts';
import { holdPlace } from './places.ts';
import { readOffer, reasonAgainst } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { newReservationToken, reservationIdOf } from './reservation-token.ts';

type ReserveRedemption = {
  token: string;
  /** Null before there is an account; then `email` is what was typed, if anything was. */
  userId: string | null;
  email?: string | null;
  passwordGrant: string | null;
  /** The reservation that the person has from before, for the new one to take its place. */
  reservation?: string | null;
};

const lifeMs = 30 * 60_000;

/** Holds a place for somebody who begins to sign up or in. */
export async function reserveRedemption(
  { token, userId, email = null, passwordGrant, reservation: earlier = null }: ReserveRedemption,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ reservation: string; expiresAt: Date }> {
  const at = clock();
  const asked = { token, userId, at };
  const offer = await readOffer(asked, { database });
  const reason = reasonAgainst(offer, offer.email ?? email) ?? (isGranted(offer, passwordGrant) ? null : 'PASSWORD_REQUIRED');
  if (reason) throw new RedemptionRefused(reason);
  const { campaignId, linkId } = offer;
  const reservation = newReservationToken();
  const expiresAt = new Date(at.getTime() + lifeMs);
  const place = { campaignId, linkId, reservationId: reservationIdOf(reservation), heldId: earlier && reservationIdOf(earlier), at, expiresAt };
  if (await holdPlace(place, database.prisma)) return { reservation, expiresAt };
  // Not only may the last place be gone: the campaign can have been closed since it was read.
  throw new RedemptionRefused(reasonAgainst(await readOffer(asked, { database }), null) ?? 'CAMPAIGN_EXHAUSTED');
}
