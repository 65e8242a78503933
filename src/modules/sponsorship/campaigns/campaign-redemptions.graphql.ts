import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  nodesSelectOnly,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { notFound } from '../../../platform/errors.ts';
import { Link } from '../links/link.graphql.ts';
import { readLinks } from '../links/read-links.ts';
import { listRedemptions } from '../redemptions/list-redemptions.ts';
import {
  BillingStatusType,
  Redemption,
  RedemptionConnection,
  RedemptionOrder,
} from '../redemptions/redemption.graphql.ts';
import { briefRedemption } from '../redemptions/redemption.ts';
import { Campaign } from './campaign.graphql.ts';
import { readCampaigns } from './read-campaigns.ts';

builder.objectField(Campaign, 'redemptions', (t) =>
  t.loadable({
    type: RedemptionConnection,
    description: 'The completed redemptions of the campaign, newest first by default.',
    args: {
      ...connectionArgs(),
      billingStatus: t.arg({
        type: BillingStatusType,
        required: false,
        description: 'Only redemptions with this billing status.',
      }),
      orderBy: t.arg({
        type: RedemptionOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    byPath: true,
    load: async (campaignIds: string[], { viewer, database }, args, info) => {
      const isBrief = nodesSelectOnly(briefRedemption, info);
      const pages = await listRedemptions(
        { ...args, isBrief, organizationId: memberOf(viewer).organizationId, campaignIds },
        pageRequest(args, info, 20),
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
