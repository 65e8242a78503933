import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { sponsorship } from '../../organizations/features.ts';
import { BillingStatusType } from '../redemptions/redemption.graphql.ts';
import {
  listRedemptionMonths,
  type RedemptionMonth as RedemptionMonthRow,
  type StatusAmount,
} from './list-redemption-months.ts';

export const StatusAmountType = builder.objectRef<StatusAmount>('RedemptionMonthStatus').implement({
  description: 'The redemptions that have one billing status.',
  fields: (t) => ({
    billingStatus: t.expose('billingStatus', {
      type: BillingStatusType,
      description: 'The billing status that these redemptions have now.',
    }),
    redemptions: t.exposeInt('redemptions', {
      description: 'How many redemptions have the status.',
    }),
    amountEur: t.expose('amountEur', {
      type: 'Decimal',
      description:
        'The sum of their billing amounts in euro; a redemption without an amount counts as 0.',
    }),
  }),
});

const RedemptionMonth = builder.objectRef<RedemptionMonthRow>('RedemptionMonth').implement({
  description: 'The redemptions of a calendar month (UTC), with their current billing status.',
  fields: (t) => ({
    month: t.expose('month', { type: 'DateTime', description: 'The first instant of the month.' }),
    redemptions: t.exposeInt('redemptions', { description: 'How many redemptions the month has.' }),
    amountEur: t.expose('amountEur', {
      type: 'Decimal',
      description: 'The sum of the billing amounts.',
    }),
    byBillingStatus: t.expose('byBillingStatus', {
      type: [StatusAmountType],
      description:
        'The redemptions of the month by their billing status, with zeros for a status that none has.',
      cost: { listSize: { assumedSize: 4 } },
    }),
  }),
});

builder.queryField('redemptionMonths', (t) =>
  t.field({
    type: [RedemptionMonth],
    description:
      'The redemptions of each of the last calendar months, including the current one, oldest first.',
    args: {
      months: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 60 }),
        defaultValue: 12,
        description: 'How many months to list, 1 to 60. The current month is the last.',
      }),
      campaignId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only redemptions of this campaign.',
      }),
    },
    cost: { listSize: { slicingArguments: ['months'] } },
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }) =>
      listRedemptionMonths(
        { ...args, organizationId: memberOf(viewer).organizationId },
        dependencies,
      ),
  }),
);
