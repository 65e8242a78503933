import { builder } from '../../graph/builder.ts';
import { neverNull } from '../../graph/presence.ts';
import { isStorable, listScalar } from '../../graph/scalars.ts';
import { writerOf } from '../audit/record-change.ts';
import { sponsorship } from '../organizations/features.ts';
import { extendRedemptions } from './extend-redemptions.ts';
import './redemption-month.graphql.ts';
import { BillingStatusType } from './redemption.graphql.ts';
import { setRedemptionsBilling } from './set-redemptions-billing.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    RedemptionIdList: { Input: string[]; Output: string[] };
  }
}

// All of them are held until the last is written.
const redemptionsMax = 500;

builder.addScalarType(
  'RedemptionIdList',
  listScalar(
    'RedemptionIdList',
    {
      noun: 'ids of redemptions',
      item: 'the id of a redemption',
      max: redemptionsMax,
      description: `Redemptions to be changed together, each once.`,
      items: { type: 'string', maxLength: 100 },
    },
    (item) => (isStorable(item) && item.length <= 100 ? item : undefined),
  ),
);

const ChangedRedemptions = builder.objectRef<{ changed: number }>('ChangedRedemptions').implement({
  fields: (t) => ({
    changed: t.exposeInt('changed', { description: 'How many were changed: all that were named.' }),
  }),
});

builder.mutationFields((t) => ({
  setRedemptionsBilling: t.field({
    type: ChangedRedemptions,
    description:
      'Sets the billing of many redemptions as setRedemptionBilling does of one, of all or of none.',
    args: {
      redemptionIds: t.arg({ type: 'RedemptionIdList' }),
      billingStatus: t.arg({ type: BillingStatusType, description: 'The status to set.' }),
      billingAmount: t.arg({
        type: 'BillingAmount',
        ...neverNull,
        description: 'The amount of each.',
      }),
      billingBatchId: t.arg({ type: 'BillingBatchId', ...neverNull }),
    },
    authScopes: { manages: sponsorship },
    resolve: async (_, input, context) => {
      await setRedemptionsBilling(input, writerOf(context));
      return { changed: input.redemptionIds.length };
    },
  }),
  extendRedemptions: t.field({
    type: ChangedRedemptions,
    description:
      'Extends many sponsorships as extendRedemption does one, all or none. Takes either months or newSponsoredUntil.',
    args: {
      redemptionIds: t.arg({ type: 'RedemptionIdList' }),
      months: t.arg({
        type: 'MonthCount',
        ...neverNull,
        description: 'Calendar months from the end of each; from now on where it has ended.',
      }),
      newSponsoredUntil: t.arg({
        type: 'DateTime',
        ...neverNull,
        description: 'Later than the current end of each.',
      }),
      reason: t.arg({
        type: 'ExtensionReason',
        required: false,
        description: 'Null clears an earlier reason, absent leaves it.',
      }),
    },
    authScopes: { manages: sponsorship },
    resolve: async (_, input, context) => {
      await extendRedemptions(input, writerOf(context));
      return { changed: input.redemptionIds.length };
    },
  }),
}));
