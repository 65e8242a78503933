import { builder } from '../../../graph/schema/builder.ts';
import { neverNull } from '../../../graph/schema/presence.ts';
import { listScalar } from '../../../graph/schema/scalars.ts';
import { isStorable } from '../../../platform/plain-text.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { extendTogether } from './extend-together.ts';
import '../summary/redemption-month.graphql.ts';
import { BillingStatusType } from './redemption.graphql.ts';
import { setBillingTogether } from './set-billing-together.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    RedemptionIdList: { Input: string[]; Output: string[] };
  }
}

// One statement locks all rows until the last one is written.
const redemptionsMax = 500;

builder.addScalarType(
  'RedemptionIdList',
  listScalar(
    'RedemptionIdList',
    {
      noun: 'ids of redemptions',
      item: 'the id of a redemption',
      max: redemptionsMax,
      description: `Redemptions to change together; duplicates are ignored.`,
      items: { type: 'string', maxLength: 100 },
    },
    (item) => (isStorable(item) && item.length <= 100 ? item : undefined),
  ),
);

const ChangedRedemptions = builder.objectRef<{ changed: number }>('ChangedRedemptions').implement({
  fields: (t) => ({
    changed: t.exposeInt('changed', {
      description: 'How many redemptions were changed: all in the list.',
    }),
  }),
});

builder.mutationFields((t) => ({
  setRedemptionsBilling: t.field({
    type: ChangedRedemptions,
    description:
      'Sets the billing of many redemptions as setRedemptionBilling does for one. Either all are changed or none.',
    args: {
      redemptionIds: t.arg({ type: 'RedemptionIdList' }),
      billingStatus: t.arg({ type: BillingStatusType, description: 'The new status.' }),
      billingAmount: t.arg({
        type: 'BillingAmount',
        ...neverNull,
        description: 'The amount of each redemption.',
      }),
      billingBatchId: t.arg({ type: 'BillingBatchId', ...neverNull }),
    },
    authScopes: { manages: sponsorship },
    resolve: async (_, input, context) => {
      await setBillingTogether(input, writerOf(context));
      return { changed: input.redemptionIds.length };
    },
  }),
  extendRedemptions: t.field({
    type: ChangedRedemptions,
    description:
      'Extends many sponsorships as extendRedemption does for one. Either all are changed or none. Takes either months or newSponsoredUntil.',
    args: {
      redemptionIds: t.arg({ type: 'RedemptionIdList' }),
      months: t.arg({
        type: 'MonthCount',
        ...neverNull,
        description:
          'Calendar months to add to the end of each sponsorship, or to the current time if it has ended.',
      }),
      newSponsoredUntil: t.arg({
        type: 'DateTime',
        ...neverNull,
        description: 'Must be later than the current end of each sponsorship.',
      }),
      reason: t.arg({
        type: 'ExtensionReason',
        required: false,
        description: 'Null clears the previous reason; if omitted, the previous reason stays.',
      }),
    },
    authScopes: { manages: sponsorship },
    resolve: async (_, input, context) => {
      await extendTogether(input, writerOf(context));
      return { changed: input.redemptionIds.length };
    },
  }),
}));
