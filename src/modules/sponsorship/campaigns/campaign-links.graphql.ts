import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { connectionCost, nodesSelectOnly, pageRequest } from '../../../graph/schema/connection.ts';
import { notFound } from '../../../platform/errors.ts';
import { Link, LinkConnection, linkListArgs } from '../links/link.graphql.ts';
import { briefLink } from '../links/link.ts';
import { listLinks } from '../links/list-links.ts';
import { Campaign } from './campaign.graphql.ts';
import { readCampaigns } from './read-campaigns.ts';

builder.objectField(Campaign, 'links', (t) =>
  t.loadable({
    type: LinkConnection,
    description: 'The links of the campaign, newest first by default.',
    args: linkListArgs(),
    cost: connectionCost(20),
    byPath: true,
    load: async (campaignIds: string[], { viewer, database }, args, info) => {
      const isBrief = nodesSelectOnly(briefLink, info);
      const pages = await listLinks(
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
