import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { pageArgs, pageCost } from '../../../graph/schema/page-type.ts';
import { sponsorship } from '../../organizations/features.ts';
import { listExpiringRedemptions } from './list-expiring-redemptions.ts';
import { RedemptionPage } from './redemption.graphql.ts';

builder.queryField('expiringRedemptions', (t) =>
  t.field({
    type: RedemptionPage,
    description:
      'The sponsorships of all campaigns that end within this number of days, soonest first.',
    args: {
      days: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 366 }),
        defaultValue: 30,
        description: 'How many days to look ahead, 1 to 366.',
      }),
      ...pageArgs(20),
    },
    complexity: pageCost,
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }) =>
      listExpiringRedemptions(
        { ...args, organizationId: memberOf(viewer).organizationId },
        dependencies,
      ),
  }),
);
