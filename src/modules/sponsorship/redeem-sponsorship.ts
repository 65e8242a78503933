import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Limits } from '../../platform/limits.ts';
import { completeRedemption } from './complete-redemption.ts';
import { newPlaces } from './new-places.ts';
import { readSponsoredWorkspace, type SponsoredWorkspace } from './read-sponsored-workspace.ts';
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

/** Makes the workspace of somebody who came by a link. Without a reservation it takes a place that is free. */
export async function redeemSponsorship(
  { reservation: held, clientAddress, ...visit }: RedeemSponsorship,
  { limits, ...parts }: { database: Database; clock: Clock; limits: Limits },
): Promise<SponsoredWorkspace> {
  const reservation = held ?? newReservationToken();
  await completeRedemption({ ...visit, reservation }, parts);
  if (held) await newPlaces({ clientAddress }, { limits }).wasUsed({ reservation });
  const made = await readSponsoredWorkspace(visit, parts);
  if (!made) throw new Error('the workspace that was made is not there');
  return made;
}
