import type { BillingStatus } from '../../platform/database/generated/client.ts';
import type { CreateCampaignInput, TermChanges } from '../sponsorship/campaigns/campaign.ts';
import type { Pricing } from '../sponsorship/campaigns/pricing.ts';

/** A redemption: how many months ago, and the index of its link. */
export type RedemptionPlan = {
  monthsAgo: number;
  link?: number;
  billing?: BillingStatus;
  extendedByMonths?: number;
};

export type CampaignPlan = {
  terms: Omit<CreateCampaignInput, 'expiresAt'>;
  pricing?: Pricing;
  /** Passwords are the same in every demo. */
  links: { name?: string; password?: string; isActive?: boolean }[];
  redemptions: RedemptionPlan[];
  /** Changes to the campaign after its creation. */
  laterChanges?: TermChanges & { expiredMonthsAgo?: number };
};

const fixed = (amountEur: number): Pricing => ({
  model: 'FIXED',
  amountEur,
  unit: 'PER_REDEMPTION',
});

const statuses: readonly BillingStatus[] = ['BILLED', 'UNBILLED', 'DISPUTED', 'WAIVED'];

// One redemption per month for a year, in every billing status. Every third one is extended.
const everyMonth = Array.from({ length: 12 }, (_, index): RedemptionPlan => {
  const monthsAgo = 11 - index;
  return {
    monthsAgo,
    link: index % 2,
    billing: statuses[index % 4] ?? 'UNBILLED',
    ...(index % 3 === 0 && { extendedByMonths: 3 }),
  };
});

/** One campaign in each state that a campaign can have. */
export const campaignPlans: readonly CampaignPlan[] = [
  {
    terms: { name: 'Start-up programme', durationMonths: 6, includedSeats: 10 },
    pricing: fixed(49.9),
    links: [
      { name: 'Newsletter' },
      { name: 'Trade fair' },
      { name: 'Press', password: 'open sesame' },
    ],
    redemptions: everyMonth,
  },
  {
    terms: {
      name: 'University offer',
      durationMonths: 3,
      maxRedemptions: 50,
      includedSeats: 100,
      allowedEmailDomains: ['students.example', 'university.example'],
    },
    links: [{}, {}],
    redemptions: [{ monthsAgo: 4 }, { monthsAgo: 1, link: 1 }],
  },
  {
    terms: {
      name: 'By invitation',
      durationMonths: 1,
      allowedEmails: ['grace@guests.example', 'alan@guests.example'],
    },
    pricing: fixed(120),
    links: [{ password: 'open sesame' }],
    redemptions: [],
  },
  {
    terms: { name: 'Winter offer', durationMonths: 2, includedSeats: 5 },
    pricing: fixed(19.5),
    links: [{}, { name: 'Withdrawn', isActive: false }],
    redemptions: [
      { monthsAgo: 7, billing: 'BILLED' },
      { monthsAgo: 6, billing: 'DISPUTED' },
      { monthsAgo: 6 },
    ],
    laterChanges: { isActive: false },
  },
  {
    terms: { name: 'Launch week', durationMonths: 1, maxRedemptions: 20 },
    pricing: fixed(9),
    links: [{}],
    redemptions: [
      { monthsAgo: 10, billing: 'WAIVED' },
      { monthsAgo: 9, billing: 'BILLED', extendedByMonths: 12 },
    ],
    laterChanges: { expiredMonthsAgo: 8 },
  },
  {
    terms: { name: 'First two', durationMonths: 3, maxRedemptions: 2 },
    pricing: fixed(30),
    links: [{}],
    redemptions: [{ monthsAgo: 3, billing: 'BILLED' }, { monthsAgo: 2 }],
  },
];
