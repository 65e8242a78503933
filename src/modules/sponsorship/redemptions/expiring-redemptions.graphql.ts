import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { connectionArgs, connectionCost, pageRequest } from '../../../graph/schema/connection.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { sponsorship } from '../../organizations/features.ts';
import { listExpiringRedemptions } from './list-expiring-redemptions.ts';
import { RedemptionConnection, RedemptionOrder } from './redemption.graphql.ts';

builder.queryField('expiringRedemptions', (t) =>
  t.field({
    type: RedemptionConnection,
    description:
      'The sponsorships of all campaigns that end within this number of days, soonest first by default.',
    args: {
      days: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 366 }),
        defaultValue: 30,
        description: 'How many days to look ahead, 1 to 366.',
      }),
      ...connectionArgs(),
      orderBy: t.arg({
        type: RedemptionOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }, info) =>
      listExpiringRedemptions(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 20),
        dependencies,
      ),
  }),
);
