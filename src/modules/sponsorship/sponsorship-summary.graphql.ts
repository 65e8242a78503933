import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { sponsorship } from '../organizations/features.ts';
import { Campaign } from './campaign.graphql.ts';
import { type CampaignCounts as CampaignCountsRow, countCampaigns } from './count-campaigns.ts';
import { countAllSeats } from './count-seats.ts';
import {
  countSponsorships,
  type SponsorshipCounts as SponsorshipCountsRow,
} from './count-sponsorships.ts';
import { listBillingTotals } from './list-billing-totals.ts';
import { StatusAmountType } from './redemption-month.graphql.ts';
import { Seats } from './seats.graphql.ts';

const CampaignCounts = builder.objectRef<CampaignCountsRow>('CampaignCounts').implement({
  description: 'How many campaigns there are; each counts in one of the four states.',
  fields: (t) => ({
    total: t.exposeInt('total'),
    live: t.exposeInt('live', { description: 'Can be redeemed now.' }),
    exhausted: t.exposeInt('exhausted', { description: 'All places are taken or held.' }),
    ended: t.exposeInt('ended', { description: 'Past their end.' }),
    switchedOff: t.exposeInt('switchedOff'),
  }),
});

const SponsorshipCounts = builder.objectRef<SponsorshipCountsRow>('SponsorshipCounts').implement({
  description: 'How many sponsorships run, and how many of them end soon.',
  fields: (t) => ({
    running: t.exposeInt('running'),
    endingWithin30Days: t.exposeInt('endingWithin30Days'),
    endingWithin60Days: t.exposeInt('endingWithin60Days'),
    endingWithin90Days: t.exposeInt('endingWithin90Days'),
  }),
});

// Each part is read by its own statement, when it is asked for.
const SponsorshipSummary = builder
  .objectRef<{ organizationId: string }>('SponsorshipSummary')
  .implement({
    description: 'How an organization’s sponsoring stands.',
    fields: (t) => ({
      billing: t.field({
        type: [StatusAmountType],
        description: 'All redemptions by billing status.',
        complexity: { multiplier: 4 },
        resolve: async ({ organizationId }, _, parts) =>
          (await listBillingTotals({ organizationId, campaignIds: null }, parts)).ofAll,
      }),
      campaigns: t.field({
        type: CampaignCounts,
        resolve: ({ organizationId }, _, parts) => countCampaigns({ organizationId }, parts),
      }),
      sponsorships: t.field({
        type: SponsorshipCounts,
        resolve: ({ organizationId }, _, parts) => countSponsorships({ organizationId }, parts),
      }),
      seats: t.field({
        type: Seats,
        // Each running sponsorship is looked at.
        complexity: 50,
        resolve: ({ organizationId }, _, parts) => countAllSeats({ organizationId }, parts),
      }),
    }),
  });

builder.queryField('sponsorshipSummary', (t) =>
  t.field({
    type: SponsorshipSummary,
    authScopes: { manages: sponsorship },
    resolve: (_, _args, { viewer }) => ({ organizationId: memberOf(viewer).organizationId }),
  }),
);

builder.objectField(Campaign, 'billing', (t) =>
  t.loadableList({
    type: StatusAmountType,
    description: 'Its redemptions by billing status.',
    complexity: { multiplier: 4 },
    load: async (campaignIds: string[], { viewer, ...parts }) => {
      const { ofCampaign } = await listBillingTotals(
        { organizationId: memberOf(viewer).organizationId, campaignIds },
        parts,
      );
      return campaignIds.map(ofCampaign);
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
