import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Limits } from '../../platform/limits.ts';
import { completeRedemption } from './complete-redemption.ts';
import type { RedemptionRules } from './read-offer.ts';
import { readSponsoredWorkspace, type SponsoredWorkspace } from './read-sponsored-workspace.ts';
import { takeRedemption } from './redemption-limit.ts';
import { newReservationToken } from './reservation-token.ts';

type RedeemSponsorship = {
  token: string;
  userId: string;
  organizationName: string;
  passwordGrant: string | null;
  /** Null where it has lapsed or was made in another browser, such as before a mail was opened. */
  reservation: string | null;
  clientAddress: string | undefined;
  requestId: string;
};

/**
 * Makes the workspace of somebody who came by a link. Without a reservation it takes a place that
 * is free.
 */
export async function redeemSponsorship(
  { reservation: held, clientAddress, ...redemptionRequest }: RedeemSponsorship,
  {
    limits,
    redemptionLimit,
    ...parts
  }: {
    database: Database;
    clock: Clock;
    limits: Limits;
    redemptionLimit: number;
  } & RedemptionRules,
): Promise<SponsoredWorkspace> {
  const reservation = held ?? newReservationToken();
  // Who has redeemed before is told so, and nothing is counted.
  const earlier = await readSponsoredWorkspace(redemptionRequest, parts);
  const giveBack = earlier
    ? async () => {}
    : await takeRedemption(
        { userId: redemptionRequest.userId, clientAddress },
        { limits, redemptionLimit },
      );
  try {
    await completeRedemption({ ...redemptionRequest, reservation }, parts);
  } catch (error) {
    await giveBack();
    throw error;
  }
  const made = await readSponsoredWorkspace(redemptionRequest, parts);
  if (!made) throw new Error('the workspace that was made is not there');
  return made;
}
