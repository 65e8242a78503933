import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isGranted } from './link-password.ts';
import { holdPlace } from './places.ts';
import { readOffer, reasonAgainst, reasonToClose } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { newReservationToken, reservationIdOf } from './reservation-token.ts';

export type ReserveRedemption = {
  token: string;
  /** Null before there is an account; then `email` is what was typed, if anything was. */
  userId: string | null;
  email?: string | null;
  passwordGrant: string | null;
  /** The reservation that the person has from before, for the new one to take its place. */
  reservation?: string | null;
  /** False for who may only keep a place that they have. */
  orTakeNew?: boolean;
};

/** `isRenewed` where no more places are held than before. */
export type Reserved = { reservation: string; expiresAt: Date; isRenewed: boolean };

const lifeMs = 30 * 60_000;

/** Holds a place for somebody who begins to sign up or in. */
export async function reserveRedemption(
  { token, userId, email = null, passwordGrant, reservation: earlier = null, orTakeNew = true }: ReserveRedemption,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Reserved> {
  const at = clock();
  const heldId = earlier && reservationIdOf(earlier);
  const asked = { token, userId, at };
  const offer = await readOffer({ ...asked, reservationId: heldId }, { database });
  const { campaignId, linkId, heldUntil } = offer;
  const granted = isGranted(offer, passwordGrant);
  const reason = reasonAgainst(offer, offer.email ?? email) ?? (granted || heldUntil ? null : 'PASSWORD_REQUIRED');
  if (reason) throw new RedemptionRefused(reason);
  // What is held was promised, but is not held for longer where a new place could not be had.
  if (earlier && heldUntil && (!granted || reasonToClose(offer))) return { reservation: earlier, expiresAt: new Date(heldUntil), isRenewed: true };
  const reservation = newReservationToken();
  const expiresAt = new Date(at.getTime() + lifeMs);
  const held = await holdPlace({ campaignId, linkId, reservationId: reservationIdOf(reservation), heldId, at, expiresAt, orTakeNew }, database.prisma);
  if (held) return { reservation, expiresAt, ...held };
  // Not only may the last place be gone: the campaign can have been closed since it was read.
  throw new RedemptionRefused(reasonAgainst(await readOffer(asked, { database }), null) ?? 'CAMPAIGN_EXHAUSTED');
}
