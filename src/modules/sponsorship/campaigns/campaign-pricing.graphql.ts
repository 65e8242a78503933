import { builder } from '../../../graph/schema/builder.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { alwaysSent } from '../../../graph/schema/presence.ts';
import { textScalar } from '../../../graph/schema/scalars.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { supportWriterOf } from '../../audit/record-change.ts';
import { PricingType } from './pricing.graphql.ts';
import '../redemptions/redemption.graphql.ts';
import { setCampaignPricing } from './set-campaign-pricing.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    PricingWord: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'PricingWord',
  textScalar('PricingWord', {
    min: 1,
    max: 50,
    description: 'The name of a model or unit of pricing.',
  }),
);

const PricingInput = builder.inputType('PricingInput', {
  description: 'The price that a partner pays for redemptions.',
  fields: (t) => ({
    model: t.field({ type: 'PricingWord', description: 'FIXED, or another model.' }),
    amountEur: t.field({
      type: 'BillingAmount',
      description: 'The amount in euro, stored with ten decimals.',
    }),
    unit: t.field({ type: 'PricingWord', description: 'PER_REDEMPTION, or another unit.' }),
  }),
});

mutation('setCampaignPricing', {
  description: 'For platform support: sets the price of later redemptions of a partner’s campaign.',
  authScopes: { platformSupport: true },
  input: (t) => ({
    campaignId: t.field({ type: 'ResourceId', description: 'The id of the campaign.' }),
    pricing: t.field({
      type: PricingInput,
      ...alwaysSent,
      description: 'Null removes the pricing.',
    }),
  }),
  resolve: async ({ campaignId, pricing = null }, caller) => {
    // Platform support is not a member of the partner's organization, so row-level security would
    // hide the campaign.
    const context = { ...caller, database: unscopedDatabase(caller.database) };
    const campaign = await context.database.prisma.campaign.findUnique({
      where: { id: campaignId },
      select: { organizationId: true },
    });
    if (!campaign) throw notFound('Campaign');
    await setCampaignPricing(
      { campaignId, pricing },
      supportWriterOf(context, campaign.organizationId),
    );
    return { campaignId, pricing };
  },
  payload: (t) => ({
    campaignId: t.exposeID('campaignId', {
      description: 'The id of the campaign, which platform support cannot read.',
    }),
    pricing: t.expose('pricing', {
      type: PricingType,
      nullable: true,
      description: 'The new pricing; null if it was removed.',
    }),
  }),
});
