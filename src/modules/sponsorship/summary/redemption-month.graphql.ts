import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { integerScalar } from '../../../graph/schema/scalars.ts';
import { sponsorship } from '../../organizations/features.ts';
import { BillingStatusType } from '../redemptions/redemption.graphql.ts';
import {
  listRedemptionMonths,
  type RedemptionMonth as RedemptionMonthRow,
  type StatusAmount,
} from './list-redemption-months.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    MonthCount: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'MonthCount',
  integerScalar('MonthCount', {
    min: 1,
    max: 60,
    description: 'A number of calendar months: 1 to 60.',
  }),
);

export const StatusAmountType = builder.objectRef<StatusAmount>('RedemptionMonthStatus').implement({
  fields: (t) => ({
    billingStatus: t.expose('billingStatus', { type: BillingStatusType }),
    redemptions: t.exposeInt('redemptions'),
    amountEur: t.exposeFloat('amountEur'),
  }),
});

const RedemptionMonth = builder.objectRef<RedemptionMonthRow>('RedemptionMonth').implement({
  description: 'The redemptions of a calendar month (UTC), with their current billing status.',
  fields: (t) => ({
    month: t.expose('month', { type: 'DateTime', description: 'The first instant of the month.' }),
    redemptions: t.exposeInt('redemptions'),
    amountEur: t.exposeFloat('amountEur', { description: 'The sum of the billing amounts.' }),
    byBillingStatus: t.expose('byBillingStatus', {
      type: [StatusAmountType],
      complexity: { multiplier: 4 },
    }),
  }),
});

builder.queryField('redemptionMonths', (t) =>
  t.field({
    type: [RedemptionMonth],
    description:
      'The redemptions of each of the last calendar months, including the current one, oldest first.',
    args: {
      months: t.arg({ type: 'MonthCount', defaultValue: 12 }),
      campaignId: t.arg({
        type: 'ResourceId',
        required: false,
        description: 'Only redemptions of this campaign.',
      }),
    },
    complexity: ({ months }) => ({ field: 1, multiplier: months }),
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }) =>
      listRedemptionMonths(
        { ...args, organizationId: memberOf(viewer).organizationId },
        dependencies,
      ),
  }),
);
