import { memberOf } from '../../../access/scopes.ts';
import { alwaysTrue, mutation } from '../../../graph/schema/mutation.ts';
import { neverNull } from '../../../graph/schema/presence.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { extendRedemption } from './extend-redemption.ts';
import { readRedemption } from './read-redemptions.ts';
import {
  amountRule,
  BillingStatusType,
  batchIdRule,
  extensionReasonRule,
  Redemption,
} from './redemption.graphql.ts';
import { setRedemptionBilling } from './set-redemption-billing.ts';

mutation('extendRedemption', {
  description:
    'Moves the end of a sponsorship to a later time. A sponsorship that has ended becomes active again.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptionId: t.field({ type: 'ID', description: 'The id of the redemption.' }),
    newSponsoredUntil: t.field({
      type: 'DateTime',
      description: 'Must be later than the current end.',
    }),
    reason: t.field({
      type: 'String',
      rule: extensionReasonRule,
      required: false,
      description:
        'The reason, for the partner’s own records. Null clears the previous reason; if omitted, the previous reason stays.',
    }),
  }),
  resolve: async (input, context) => ({
    redemption: await extendRedemption(input, writerOf(context)),
  }),
  payload: (t) => ({
    redemption: t.expose('redemption', {
      type: Redemption,
      description: 'The redemption after the extension.',
    }),
  }),
});

mutation('setRedemptionBilling', {
  description:
    'Sets the billing status. BILLED sets billedAt; UNBILLED clears billedAt and the batch. An omitted amount or batch stays as it is.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptionId: t.field({ type: 'ID', description: 'The id of the redemption.' }),
    billingStatus: t.field({ type: BillingStatusType, description: 'The new status.' }),
    billingAmount: t.field({
      type: 'Decimal',
      rule: amountRule,
      ...neverNull,
      description: 'The amount in euro, stored with ten decimals.',
    }),
    billingBatchId: t.field({
      type: 'String',
      rule: batchIdRule,
      ...neverNull,
      description: 'The partner’s id of the batch or invoice.',
    }),
  }),
  resolve: async (input, context) => {
    await setRedemptionBilling(input, writerOf(context));
    return { redemptionId: input.redemptionId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    redemption: t.field({
      type: Redemption,
      description: 'The redemption after the change.',
      resolve: ({ redemptionId }, _, { viewer, database }) =>
        readRedemption(
          { organizationId: memberOf(viewer).organizationId, redemptionId },
          { database },
        ),
    }),
  }),
});
