import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  atomicOption,
  bulkItemsMax,
  bulkList,
  bulkPayload,
  itemFields,
} from '../../../graph/schema/bulk.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { neverNull } from '../../../graph/schema/presence.ts';
import { type ItemRefusal, requireEveryItem, requireItems } from '../../../platform/bulk.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { extendRedemptions } from './extend-redemptions.ts';
import { readRedemptions } from './read-redemptions.ts';
import {
  amountRule,
  BillingStatusType,
  batchIdRule,
  extensionReasonRule,
  Redemption,
} from './redemption.graphql.ts';
import { setRedemptionsBilling } from './set-redemptions-billing.ts';

const RedemptionExtensionInput = builder.inputType('RedemptionExtensionInput', {
  description: 'A sponsorship to extend.',
  fields: (t) => ({
    redemptionId: t.field({ type: 'ID', description: 'The redemption; each one once.' }),
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
});

const RedemptionBillingInput = builder.inputType('RedemptionBillingInput', {
  description: 'The billing of one redemption.',
  fields: (t) => ({
    redemptionId: t.field({ type: 'ID', description: 'The redemption; each one once.' }),
    billingStatus: t.field({ type: BillingStatusType, description: 'The new status.' }),
    billingAmount: t.field({
      type: 'Decimal',
      rule: amountRule,
      ...neverNull,
      description: 'An amount in euro. If omitted, the amount stays.',
    }),
    billingBatchId: t.field({
      type: 'String',
      rule: batchIdRule,
      ...neverNull,
      description: 'The partner’s id of the batch or invoice. If omitted, the batch stays.',
    }),
  }),
});

type ChangedRedemption = { redemptionId: string; refusal: ItemRefusal };

const BulkRedemptionResult = builder
  .objectRef<ChangedRedemption>('BulkRedemptionResult')
  .implement({
    description: 'What happened to one redemption of a bulk call.',
    fields: (t) => ({
      redemptionId: t.exposeID('redemptionId', { description: 'The id of the request.' }),
      ...itemFields(t),
    }),
  });

builder.objectField(BulkRedemptionResult, 'redemption', (t) =>
  t.loadable({
    type: Redemption,
    nullable: true,
    description: 'The changed redemption; null if the item was refused.',
    load: async (redemptionIds: string[], { viewer, database }) => {
      const redemptions = await readRedemptions(
        { organizationId: memberOf(viewer).organizationId, redemptionIds },
        { database },
      );
      return redemptions.map((redemption) => redemption ?? null);
    },
    loaderOptions: { cache: false, maxBatchSize: bulkItemsMax },
    resolve: ({ redemptionId, refusal }) => (refusal ? null : redemptionId),
  }),
);

const listName = 'redemptions';
const itemRules = { list: listName, itemsMax: bulkItemsMax, idField: 'redemptionId' } as const;

mutation('bulkExtendRedemptions', {
  description: `Extends up to ${bulkItemsMax} sponsorships as extendRedemption does for one.`,
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptions: t.field({
      type: [RedemptionExtensionInput],
      ...bulkList,
      description: 'The sponsorships to extend, each one once.',
    }),
    atomic: t.field(atomicOption),
  }),
  resultSize: { argument: 'redemptions', fields: ['results'] },
  resolve: async ({ redemptions, atomic }, context) => {
    requireItems(redemptions, itemRules);
    const outcomes = await extendRedemptions(
      { extensions: redemptions, isAtomic: atomic },
      writerOf(context),
    );
    const refusals = outcomes.map(({ refusal }) => refusal);
    if (atomic) requireEveryItem(refusals, listName);
    return { items: withRefusals(redemptions, refusals) };
  },
  payload: bulkPayload(BulkRedemptionResult),
});

mutation('bulkSetRedemptionBilling', {
  description: `Sets the billing of up to ${bulkItemsMax} redemptions as setRedemptionBilling does for one.`,
  authScopes: { manages: sponsorship },
  input: (t) => ({
    redemptions: t.field({
      type: [RedemptionBillingInput],
      ...bulkList,
      description: 'The new billing of each redemption, each one once.',
    }),
    atomic: t.field(atomicOption),
  }),
  resultSize: { argument: 'redemptions', fields: ['results'] },
  resolve: async ({ redemptions, atomic }, context) => {
    requireItems(redemptions, { ...itemRules, neverNull: ['billingAmount', 'billingBatchId'] });
    const refusals = await setRedemptionsBilling(
      { billings: redemptions, isAtomic: atomic },
      writerOf(context),
    );
    if (atomic) requireEveryItem(refusals, listName);
    return { items: withRefusals(redemptions, refusals) };
  },
  payload: bulkPayload(BulkRedemptionResult),
});

const withRefusals = (
  items: readonly { redemptionId: string }[],
  refusals: readonly ItemRefusal[],
): ChangedRedemption[] =>
  items.map(({ redemptionId }, index) => ({ redemptionId, refusal: refusals[index] ?? null }));
