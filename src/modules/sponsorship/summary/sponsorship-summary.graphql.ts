import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { sponsorship } from '../../organizations/features.ts';
import { Campaign } from '../campaigns/campaign.graphql.ts';
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
  description:
    'The number of campaigns in total and in each state; each campaign has exactly one state.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'All campaigns.' }),
    live: t.exposeInt('live', { description: 'Campaigns that can be redeemed now.' }),
    exhausted: t.exposeInt('exhausted', {
      description: 'Campaigns whose redemptions are all completed or reserved.',
    }),
    ended: t.exposeInt('ended', { description: 'Campaigns past their end.' }),
    switchedOff: t.exposeInt('switchedOff', {
      description: 'Inactive campaigns, also those that have ended or are exhausted.',
    }),
  }),
});

const SponsorshipCounts = builder.objectRef<SponsorshipCountsRow>('SponsorshipCounts').implement({
  description: 'The number of running sponsorships, and of those that end soon.',
  fields: (t) => ({
    running: t.exposeInt('running', { description: 'Sponsorships that have not ended.' }),
    endingWithin30Days: t.exposeInt('endingWithin30Days', {
      description: 'Running sponsorships that end in the next 30 days.',
    }),
    endingWithin60Days: t.exposeInt('endingWithin60Days', {
      description: 'Running sponsorships that end in the next 60 days.',
    }),
    endingWithin90Days: t.exposeInt('endingWithin90Days', {
      description: 'Running sponsorships that end in the next 90 days.',
    }),
  }),
});

// Each field has its own statement, which runs only if the field is selected.
const SponsorshipSummary = builder
  .objectRef<{ organizationId: string }>('SponsorshipSummary')
  .implement({
    description: 'A summary of an organization’s sponsorships.',
    fields: (t) => ({
      billing: t.field({
        type: [StatusAmountType],
        description: 'All redemptions by billing status.',
        cost: { listSize: { assumedSize: 4 } },
        resolve: async ({ organizationId }, _, dependencies) =>
          (await listBillingTotals({ organizationId, campaignIds: null }, dependencies)).ofAll,
      }),
      campaigns: t.field({
        type: CampaignCounts,
        description: 'How many campaigns the organization has in each state.',
        resolve: ({ organizationId }, _, dependencies) =>
          countCampaigns({ organizationId }, dependencies),
      }),
      sponsorships: t.field({
        type: SponsorshipCounts,
        description: 'How many sponsorships run, and how many of them end soon.',
        resolve: ({ organizationId }, _, dependencies) =>
          countSponsorships({ organizationId }, dependencies),
      }),
      seats: t.field({
        type: Seats,
        description: 'The seats of all running sponsorships.',
        // The statement reads every running sponsorship.
        cost: { weight: 50 },
        resolve: ({ organizationId }, _, dependencies) =>
          countAllSeats({ organizationId }, dependencies),
      }),
    }),
  });

builder.queryField('sponsorshipSummary', (t) =>
  t.field({
    type: SponsorshipSummary,
    description:
      'Figures over all campaigns of the organization, for a dashboard. Each field is computed only if it is selected.',
    authScopes: { manages: sponsorship },
    resolve: (_, _args, { viewer }) => ({ organizationId: memberOf(viewer).organizationId }),
  }),
);

builder.objectField(Campaign, 'billing', (t) =>
  t.loadableList({
    type: StatusAmountType,
    description: 'The redemptions of the campaign by billing status.',
    cost: { listSize: { assumedSize: 4 } },
    load: async (campaignIds: string[], { viewer, ...dependencies }) => {
      const { ofCampaign } = await listBillingTotals(
        { organizationId: memberOf(viewer).organizationId, campaignIds },
        dependencies,
      );
      return campaignIds.map(ofCampaign);
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
