import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError } from '../../../platform/errors.ts';
import { hasPasswordGrant } from '../links/link-password.ts';
import { reserveCapacity } from './capacity.ts';
import {
  closedReasonOf,
  isLimited,
  type RedemptionRules,
  readOffer,
  refusalReasonFor,
  requiresVerifiedEmail,
} from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { networkFullUntil, reservationNetworkOf } from './reservation-limit.ts';
import { newReservationToken, reservationIdOf } from './reservation-token.ts';

type ReserveRedemptionInput = {
  token: string;
  /** Null if the person has no account yet; `email` is then the address that they typed, if any. */
  userId: string | null;
  email?: string | null;
  passwordGrant: string | null;
  /** The person's current reservation, which the new one replaces. */
  reservation?: string | null;
  clientAddress?: string | undefined;
};

/** `isRenewed` is true if the reservation replaced one that the person already had. */
type ReservedRedemption = { reservation: string; expiresAt: Date; isRenewed: boolean };

const lifetimeMs = 30 * 60_000;

/**
 * Reserves a redemption for a person who is signing up or signing in. The number of reservations
 * per network is limited; a person can renew their own reservation until two hours after its start.
 */
export async function reserveRedemption(
  {
    token,
    userId,
    email = null,
    passwordGrant,
    reservation: currentReservation = null,
    clientAddress,
  }: ReserveRedemptionInput,
  { database, clock, ...rules }: { database: Database; clock: Clock } & RedemptionRules,
): Promise<ReservedRedemption> {
  const at = clock();
  const currentReservationId = currentReservation && reservationIdOf(currentReservation);
  const offer = await readOffer(
    { token, userId, at, reservationId: currentReservationId },
    { database },
  );
  const { campaignId, linkId, heldUntil } = offer;
  const hasGrant = hasPasswordGrant(offer, passwordGrant);
  const address = offer.email ?? email;
  const reason =
    refusalReasonFor(offer, address) ?? (hasGrant || heldUntil ? null : 'PASSWORD_REQUIRED');
  if (reason) throw new RedemptionRefused(reason);
  if (requiresVerifiedEmail(offer, rules)) throw new RedemptionRefused('EMAIL_NOT_VERIFIED');
  if (address === null && isLimited(offer)) throw new RedemptionRefused('EMAIL_NOT_ALLOWED');
  // The person keeps a live reservation, but it is not extended if a new one would be refused.
  if (heldUntil && (!hasGrant || closedReasonOf(offer))) {
    // A person who reserved in another browser is known by their account.
    const reservation = currentReservation ?? newReservationToken();
    return { reservation, expiresAt: new Date(heldUntil), isRenewed: true };
  }
  const reservation = newReservationToken();
  const networkRequest = {
    ...reservationNetworkOf(clientAddress),
    campaignId,
    currentReservationId,
    userId,
    at,
  };
  const capacityRequest = {
    ...networkRequest,
    linkId,
    reservationId: reservationIdOf(reservation),
    expiresAt: new Date(at.getTime() + lifetimeMs),
  };
  const { reserved, fullUntil } = await inTransaction(database, async (tx) => {
    const fullUntil = await networkFullUntil(networkRequest, tx);
    return {
      reserved: await reserveCapacity({ ...capacityRequest, allowsNew: fullUntil === null }, tx),
      fullUntil,
    };
  });
  if (reserved) return { reservation, ...reserved };
  // The capacity may be exhausted, or the campaign may have been closed since it was read above.
  const currentOffer = await readOffer({ token, userId, at }, { database });
  const refusal = refusalReasonFor(currentOffer, null);
  if (refusal === null && fullUntil && !currentOffer.isExhausted)
    throw tooManyReservations(fullUntil, at);
  throw new RedemptionRefused(refusal ?? 'CAMPAIGN_EXHAUSTED');
}

function tooManyReservations(until: Date, at: Date): AppError {
  const minutes = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 60_000));
  return new AppError(
    'RATE_LIMITED',
    `Very many people are signing up from where you are. Please try again in ${minutes} min.`,
  );
}
