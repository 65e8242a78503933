import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { newPlaces } from './new-places.ts';
import { RedemptionRefused } from './refusal.ts';
import { type Reserved, type ReserveRedemption, reserveRedemption } from './reserve-redemption.ts';

type ReserveSponsorship = Omit<ReserveRedemption, 'orTakeNew'> & { clientAddress: string | undefined };
type Parts = Parameters<typeof reserveRedemption>[1] & { limits: Limits };

/** Holds a place for a visitor, and lets no network hold more than a fair number. To keep the place one has is always possible. */
export async function reserveSponsorship({ clientAddress, ...visit }: ReserveSponsorship, { limits, ...parts }: Parts): Promise<Reserved> {
  const places = newPlaces({ clientAddress }, { limits });
  // Counted before it is held, so that many at once get no more than one after the other.
  const { exceeded, retryAfterSeconds } = await places.take();
  let isNew = false;
  try {
    const reserved = await reserveRedemption({ ...visit, orTakeNew: !exceeded }, parts);
    isNew = !reserved.isRenewed;
    return reserved;
  } catch (error) {
    if (!exceeded || !(error instanceof RedemptionRefused) || error.reason !== 'CAMPAIGN_EXHAUSTED') throw error;
    const minutes = Math.ceil(retryAfterSeconds / 60);
    throw new AppError('RATE_LIMITED', `Very many people are signing up from where you are. Please try again in ${minutes} min.`);
  } finally {
    if (!isNew) await places.giveBack();
  }
}
