import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { pageArgs, pageCost } from '../../../graph/schema/page-type.ts';
import { notFound } from '../../../platform/errors.ts';
import { Link } from '../links/link.graphql.ts';
import { readLinks } from '../links/read-links.ts';
import { listRedemptions } from '../redemptions/list-redemptions.ts';
import {
  BillingStatusType,
  Redemption,
  RedemptionPage,
} from '../redemptions/redemption.graphql.ts';
import { Campaign } from './campaign.graphql.ts';
import { readCampaigns } from './read-campaigns.ts';

builder.objectField(Campaign, 'redemptions', (t) =>
  t.loadable({
    type: RedemptionPage,
    description: 'The completed redemptions of the campaign, newest first.',
    args: {
      ...pageArgs(20),
      billingStatus: t.arg({
        type: BillingStatusType,
        required: false,
        description: 'Only redemptions with this billing status.',
      }),
    },
    complexity: pageCost,
    byPath: true,
    load: async (campaignIds: string[], { viewer, database }, args) => {
      const pages = await listRedemptions(
        { ...args, organizationId: memberOf(viewer).organizationId, campaignIds },
        { database },
      );
      return pages.map((page) => page ?? notFound('Campaign'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

builder.objectFields(Redemption, (t) => ({
  campaign: t.loadable({
    type: Campaign,
    description: 'The campaign that was redeemed.',
    load: async (campaignIds: string[], { viewer, ...dependencies }) => {
      const campaigns = await readCampaigns(
        { organizationId: memberOf(viewer).organizationId, campaignIds },
        dependencies,
      );
      return campaigns.map((campaign) => campaign ?? notFound('Campaign'));
    },
    loaderOptions: { cache: false },
    resolve: ({ campaignId }) => campaignId,
  }),
  link: t.loadable({
    type: Link,
    description: 'The link through which the campaign was redeemed.',
    load: async (linkIds: string[], { viewer, database }) => {
      const links = await readLinks(
        { organizationId: memberOf(viewer).organizationId, linkIds },
        { database },
      );
      return links.map((link) => link ?? notFound('Link'));
    },
    loaderOptions: { cache: false },
    resolve: ({ linkId }) => linkId,
  }),
}));
