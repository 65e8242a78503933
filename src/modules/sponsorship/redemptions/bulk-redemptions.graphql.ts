import { memberOf } from '../../../access/scopes.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { distinct, integer } from '../../../graph/schema/input-rules.ts';
import { mutation, type PayloadBuilder } from '../../../graph/schema/mutation.ts';
import { neverNull } from '../../../graph/schema/presence.ts';
import { isStorable } from '../../../platform/plain-text.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { extendTogether } from './extend-together.ts';
import '../summary/redemption-month.graphql.ts';
import { readRedemptions } from './read-redemptions.ts';
import {
  amountRule,
  BillingStatusType,
  batchIdRule,
  extensionReasonRule,
  Redemption,
} from './redemption.graphql.ts';
import { setBillingTogether } from './set-billing-together.ts';

// One statement locks all rows until the last one is written.
const redemptionsMax = 500;

const redemptionIdsRule = distinct(
  {
    title: 'RedemptionIdList',
    noun: 'ids of redemptions',
    item: 'the id of a redemption',
    max: redemptionsMax,
    items: { type: 'string', maxLength: 100 },
  },
  (item) => (isStorable(item) && item.length <= 100 ? item : undefined),
);

const changedRedemptions = <Payload extends { redemptionIds: string[] }>(
  t: PayloadBuilder<Payload>,
) => ({
  changed: t.int({
    description: 'How many redemptions were changed: all in the list.',
    resolve: ({ redemptionIds }) => redemptionIds.length,
  }),
  redemptions: t.field({
    type: [Redemption],
    description: 'The redemptions after the change, in the order of the list.',
    cost: { listSize: sizedByParent },
    resolve: async ({ redemptionIds }, _, { viewer, database }) => {
      const redemptions = await readRedemptions(
        { organizationId: memberOf(viewer).organizationId, redemptionIds },
        { database },
      );
      return redemptions.filter((redemption) => redemption !== undefined);
    },
  }),
});

mutation('setRedemptionsBilling', {
  description:
    'Sets the billing of many redemptions as setRedemptionBilling does for one. Either all are changed or none.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptionIds: t.field({
      type: ['ID'],
      rule: redemptionIdsRule,
      description: 'The ids of the redemptions; duplicates are ignored.',
    }),
    billingStatus: t.field({ type: BillingStatusType, description: 'The new status.' }),
    billingAmount: t.field({
      type: 'Decimal',
      rule: amountRule,
      ...neverNull,
      description: 'The amount of each redemption.',
    }),
    billingBatchId: t.field({
      type: 'String',
      rule: batchIdRule,
      ...neverNull,
      description: 'The partner’s id of the batch or invoice.',
    }),
  }),
  resolve: async (input, context) => {
    await setBillingTogether(input, writerOf(context));
    return input;
  },
  resultSize: { argument: 'redemptionIds', fields: ['redemptions'] },
  payload: (t) => ({ ...changedRedemptions(t) }),
});

mutation('extendRedemptions', {
  description:
    'Extends many sponsorships as extendRedemption does for one. Either all are changed or none. Takes either months or newSponsoredUntil.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptionIds: t.field({
      type: ['ID'],
      rule: redemptionIdsRule,
      description: 'The ids of the redemptions; duplicates are ignored.',
    }),
    months: t.field({
      type: 'Int',
      rule: integer({ min: 1, max: 60 }),
      ...neverNull,
      description:
        'Calendar months to add to the end of each sponsorship, or to the current time if it has ended.',
    }),
    newSponsoredUntil: t.field({
      type: 'DateTime',
      ...neverNull,
      description: 'Must be later than the current end of each sponsorship.',
    }),
    reason: t.field({
      type: 'String',
      rule: extensionReasonRule,
      required: false,
      description: 'Null clears the previous reason; if omitted, the previous reason stays.',
    }),
  }),
  resolve: async (input, context) => {
    await extendTogether(input, writerOf(context));
    return input;
  },
  resultSize: { argument: 'redemptionIds', fields: ['redemptions'] },
  payload: (t) => ({ ...changedRedemptions(t) }),
});
