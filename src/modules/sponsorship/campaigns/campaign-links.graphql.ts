import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { notFound } from '../../../platform/errors.ts';
import { Link, LinkPage } from '../links/link.graphql.ts';
import { listLinks } from '../links/list-links.ts';
import { Campaign } from './campaign.graphql.ts';
import { readCampaigns } from './read-campaigns.ts';

builder.objectField(Campaign, 'links', (t) =>
  t.loadable({
    type: LinkPage,
    description: 'The links of the campaign, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
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
