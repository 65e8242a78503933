import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { completeRedemption } from './complete-redemption.ts';
import type { RedemptionRules } from './read-offer.ts';
import { readSponsoredWorkspace, type SponsoredWorkspace } from './read-sponsored-workspace.ts';
import { countRedemption } from './redemption-limit.ts';
import { newReservationToken } from './reservation-token.ts';

type RedeemSponsorshipInput = {
  token: string;
  userId: string;
  organizationName: string;
  passwordGrant: string | null;
  /**
   * Null if it has expired, or if the person reserved in another browser, for example before they
   * opened the confirmation mail in this one.
   */
  reservation: string | null;
  clientAddress: string | undefined;
  requestId: string;
};

/**
 * Creates the workspace of a person who opened a link. Without a reservation it takes free
 * capacity.
 */
export async function redeemSponsorship(
  { reservation: existingReservation, clientAddress, ...redemptionRequest }: RedeemSponsorshipInput,
  {
    limits,
    redemptionLimit,
    ...dependencies
  }: {
    database: Database;
    clock: Clock;
    limits: RateLimits;
    redemptionLimit: number;
  } & RedemptionRules,
): Promise<SponsoredWorkspace> {
  const reservation = existingReservation ?? newReservationToken();
  // A person who has already redeemed gets their workspace or an error, and the request does not
  // count for the limit.
  const existingWorkspace = await readSponsoredWorkspace(redemptionRequest, dependencies);
  const uncountRedemption = existingWorkspace
    ? async () => {}
    : await countRedemption(
        { userId: redemptionRequest.userId, clientAddress },
        { limits, redemptionLimit },
      );
  try {
    await completeRedemption({ ...redemptionRequest, reservation }, dependencies);
  } catch (error) {
    await uncountRedemption();
    throw error;
  }
  const workspace = await readSponsoredWorkspace(redemptionRequest, dependencies);
  if (!workspace) throw new Error('the redeemed workspace was not found');
  return workspace;
}
