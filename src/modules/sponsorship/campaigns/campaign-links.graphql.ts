import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { pageArgs, pageCost } from '../../../graph/schema/page-type.ts';
import { notFound } from '../../../platform/errors.ts';
import { Link, LinkPage } from '../links/link.graphql.ts';
import { listLinks } from '../links/list-links.ts';
import { Campaign } from './campaign.graphql.ts';
import { readCampaigns } from './read-campaigns.ts';

builder.objectField(Campaign, 'links', (t) =>
  t.loadable({
    type: LinkPage,
    description: 'The links of the campaign, newest first.',
    args: pageArgs(20),
    complexity: pageCost,
    byPath: true,
    load: async (campaignIds: string[], { viewer, database }, args) => {
      const pages = await listLinks(
        { ...args, organizationId: memberOf(viewer).organizationId, campaignIds },
        { database },
      );
      return pages.map((page) => page ?? notFound('Campaign'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

builder.objectField(Link, 'campaign', (t) =>
  t.loadable({
    type: Campaign,
    description: 'The campaign that the link leads to.',
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
);
