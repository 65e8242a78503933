import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { hasAllowList } from './allow-list.ts';
import { reserveCapacity } from './capacity.ts';
import { isGranted } from './link-password.ts';
import {
  mustVerify,
  type RedemptionRules,
  readOffer,
  reasonAgainst,
  reasonToClose,
} from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { networkFullUntil, reservationNetworkOf } from './reservation-limit.ts';
import { newReservationToken, reservationIdOf } from './reservation-token.ts';

type ReserveRedemption = {
  token: string;
  /** Null before there is an account; then `email` is what was typed, if anything was. */
  userId: string | null;
  email?: string | null;
  passwordGrant: string | null;
  /** The reservation that the person has from before, for the new one to take its place. */
  reservation?: string | null;
  clientAddress?: string | undefined;
};

/** `isRenewed` where no more places are held than before. */
type Reserved = { reservation: string; expiresAt: Date; isRenewed: boolean };

const lifeMs = 30 * 60_000;

/**
 * Reserves for somebody who begins to sign up or in. No network has more than a fair number of
 * reservations; renewing the one that a person has is always possible until two hours after it
 * began.
 */
export async function reserveRedemption(
  {
    token,
    userId,
    email = null,
    passwordGrant,
    reservation: earlier = null,
    clientAddress,
  }: ReserveRedemption,
  { database, clock, ...rules }: { database: Database; clock: Clock } & RedemptionRules,
): Promise<Reserved> {
  const at = clock();
  const heldId = earlier && reservationIdOf(earlier);
  const asked = { token, userId, at };
  const offer = await readOffer({ ...asked, reservationId: heldId }, { database });
  const { campaignId, linkId, heldUntil } = offer;
  const granted = isGranted(offer, passwordGrant);
  const address = offer.email ?? email;
  const reason =
    reasonAgainst(offer, address) ?? (granted || heldUntil ? null : 'PASSWORD_REQUIRED');
  if (reason) throw new RedemptionRefused(reason);
  if (mustVerify(offer, rules)) throw new RedemptionRefused('EMAIL_NOT_VERIFIED');
  if (address === null && hasAllowList(offer)) throw new RedemptionRefused('EMAIL_NOT_ALLOWED');
  // What is held was promised, but is not held for longer where a new place could not be had.
  if (earlier && heldUntil && (!granted || reasonToClose(offer)))
    return { reservation: earlier, expiresAt: new Date(heldUntil), isRenewed: true };
  const reservation = newReservationToken();
  const wanted = { ...reservationNetworkOf(clientAddress), campaignId, heldId, at };
  const reserving = {
    ...wanted,
    linkId,
    reservationId: reservationIdOf(reservation),
    expiresAt: new Date(at.getTime() + lifeMs),
  };
  const { held, fullUntil } = await inTransaction(database, async (tx) => {
    const fullUntil = await networkFullUntil(wanted, tx);
    return {
      held: await reserveCapacity({ ...reserving, orTakeNew: fullUntil === null }, tx),
      fullUntil,
    };
  });
  if (held) return { reservation, ...held };
  // Not only may the last place be gone: the campaign can have been closed since it was read.
  const now = await readOffer(asked, { database });
  const refusal = reasonAgainst(now, null);
  if (refusal === null && fullUntil && !now.isExhausted) throw networkIsFull(fullUntil, at);
  throw new RedemptionRefused(refusal ?? 'CAMPAIGN_EXHAUSTED');
}

function networkIsFull(until: Date, at: Date): AppError {
  const minutes = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 60_000));
  return new AppError(
    'RATE_LIMITED',
    `Very many people are signing up from where you are. Please try again in ${minutes} min.`,
  );
}
