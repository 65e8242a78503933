import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isGranted } from './link-password.ts';
import { readOffer, reasonAgainst } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';

type LookAtLink = { token: string; userId: string | null; passwordGrant: string | null };

export type LinkView = { campaignName: string; sponsorName: string; durationMonths: number; includedSeats: number | null; needsPassword: boolean };

/** What the page behind a link shows. A place that is free now can be gone when it is asked for. */
export async function lookAtLink({ token, userId, passwordGrant }: LookAtLink, { database, clock }: { database: Database; clock: Clock }): Promise<LinkView> {
  const offer = await readOffer({ token, userId, at: clock() }, { database });
  const reason = reasonAgainst(offer, offer.email) ?? (offer.isExhausted ? 'CAMPAIGN_EXHAUSTED' : null);
  if (reason) throw new RedemptionRefused(reason);
  const { campaignName, sponsorName, durationMonths, includedSeats } = offer;
  return { campaignName, sponsorName, durationMonths, includedSeats, needsPassword: !isGranted(offer, passwordGrant) };
}
