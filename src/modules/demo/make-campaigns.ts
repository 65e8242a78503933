import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Writer } from '../audit/record-change.ts';
import { systemActor } from '../audit/system-actor.ts';
import { createCampaign } from '../sponsorship/campaigns/create-campaign.ts';
import { setCampaignPricing } from '../sponsorship/campaigns/set-campaign-pricing.ts';
import { updateCampaign } from '../sponsorship/campaigns/update-campaign.ts';
import { addLinkClicks } from '../sponsorship/links/add-link-clicks.ts';
import { createLink } from '../sponsorship/links/create-link.ts';
import { updateLink } from '../sponsorship/links/update-link.ts';
import { completeRedemption } from '../sponsorship/redeeming/complete-redemption.ts';
import { reserveRedemption } from '../sponsorship/redeeming/reserve-redemption.ts';
import { addMonths } from '../sponsorship/redemptions/add-months.ts';
import { extendRedemption } from '../sponsorship/redemptions/extend-redemption.ts';
import { setRedemptionBilling } from '../sponsorship/redemptions/set-redemption-billing.ts';
import { type CampaignPlan, campaignPlans, type RedemptionPlan } from './campaign-plans.ts';

type CampaignOwner = { organizationId: string; slug: string };
type MakeCampaignsDependencies = { database: Database; clock: Clock };

/**
 * Creates a year of a partner's campaigns with the functions that the API uses, at the times at
 * which they would have happened.
 */
export async function makeCampaigns(
  owner: CampaignOwner,
  { database, clock }: MakeCampaignsDependencies,
): Promise<void> {
  const now = clock();
  const actor = systemActor(owner.organizationId);
  const writerAt = (at: Date): Writer => ({
    database,
    clock: () => at,
    actor,
    credentialsChanged: () => undefined,
  });
  for (const [index, plan] of campaignPlans.entries()) {
    const number = index + 1;
    // Lists order by time, and nothing of two campaigns happens at the same moment.
    const end = new Date(now.getTime() - number * 1_000);
    await makeCampaign(plan, { ...owner, number, now: end, writerAt });
  }
}

type CampaignContext = CampaignOwner & {
  number: number;
  now: Date;
  writerAt: (at: Date) => Writer;
};

async function makeCampaign(
  { terms, pricing, links, redemptions, laterChanges }: CampaignPlan,
  campaignContext: CampaignContext,
): Promise<void> {
  const { now, writerAt } = campaignContext;
  // The campaigns begin thirteen months ago, one minute after each other.
  const beginsAt = addMonths(now, -13).getTime() + campaignContext.number * 60_000;
  const begin = writerAt(new Date(beginsAt));
  const { id: campaignId } = await createCampaign(terms, begin);
  if (pricing) await setCampaignPricing({ campaignId, pricing }, begin);
  const tokens: string[] = [];
  for (const [index, { isActive = true, ...link }] of links.entries()) {
    const writer = writerAt(new Date(beginsAt + (index + 1) * 1_000));
    const { id: linkId, token } = await createLink({ ...link, campaignId }, writer);
    if (!isActive) await updateLink({ linkId, isActive }, writer);
    tokens.push(token);
  }
  for (const [index, plan] of redemptions.entries()) {
    await redeem(plan, {
      ...campaignContext,
      token: tokens[plan.link ?? 0] ?? '',
      guest: guestFor(campaignContext, terms.allowedEmailDomains?.[0], index + 1),
    });
  }
  if (laterChanges) {
    const { expiredMonthsAgo, ...changed } = laterChanges;
    const expiry =
      expiredMonthsAgo === undefined ? {} : { expiresAt: addMonths(now, -expiredMonthsAgo) };
    await updateCampaign({ campaignId, terms: { ...changed, ...expiry } }, writerAt(now));
  }
  await addClicks(tokens, campaignContext);
}

const dayMs = 86_400_000;
const clickDays = 60;

/** Visits of the last two months: fewer at weekends, and fewer for each further link. */
const addClicks = (tokens: readonly string[], { number, now, writerAt }: CampaignContext) =>
  addLinkClicks(
    tokens.flatMap((token, index) =>
      Array.from({ length: clickDays }, (_, nth) => {
        const at = new Date(now.getTime() - nth * dayMs);
        const isWeekend = at.getUTCDay() % 6 === 0;
        const clicks = 2 + ((nth * 7 + number * 5 + index * 3) % (isWeekend ? 4 : 11));
        return {
          token,
          day: at.toISOString().slice(0, 10),
          clicks: Math.ceil(clicks / (index + 1)),
        };
      }),
    ),
    { database: writerAt(now).database, at: now },
  );

// Two partners have the same campaigns, but an e-mail address belongs to one person only.
const guestFor = (
  { slug, number }: CampaignContext,
  domain: string | undefined,
  index: number,
): GuestAccount => ({
  email: domain
    ? `${slug}-guest-${index}@${domain}`
    : `guest-${number}-${index}@${slug}-guests.example`,
  organizationName: `Guest ${number}.${index} Ltd`,
});

type GuestAccount = { email: string; organizationName: string };

async function redeem(
  { monthsAgo, billing, extendedByMonths }: RedemptionPlan,
  { now, writerAt, token, guest }: CampaignContext & { token: string; guest: GuestAccount },
): Promise<void> {
  const at = addMonths(now, -monthsAgo);
  const writer = writerAt(at);
  const userId = newId(at.getTime());
  await writer.database.sql`
    insert into users (id, email, first_name, last_name, created_at)
    values (${userId}, ${guest.email}, 'Guest', 'Example', ${at})`;
  const redemptionRequest = { token, userId, passwordGrant: null };
  const { reservation } = await reserveRedemption(redemptionRequest, writer);
  const completed = await completeRedemption(
    {
      ...redemptionRequest,
      reservation,
      organizationName: guest.organizationName,
      requestId: null,
    },
    writer,
  );
  const { redemptionId } = completed;
  const inTwentyDays = at.getTime() + 20 * 86_400_000;
  const later = writerAt(new Date(Math.min(now.getTime() + 500, inTwentyDays)));
  if (billing)
    await setRedemptionBilling(
      {
        redemptionId,
        billingStatus: billing,
        ...(billing === 'BILLED' && { billingBatchId: batchOf(at) }),
      },
      later,
    );
  if (extendedByMonths) {
    const newSponsoredUntil = addMonths(completed.sponsoredUntil, extendedByMonths);
    await extendRedemption({ redemptionId, newSponsoredUntil, reason: 'Agreed with sales' }, later);
  }
}

const batchOf = (at: Date) => `INV-${at.toISOString().slice(0, 7)}`;
