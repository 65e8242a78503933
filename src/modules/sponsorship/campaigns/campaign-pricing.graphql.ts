import { builder } from '../../../graph/schema/builder.ts';
import { text } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { alwaysSent } from '../../../graph/schema/presence.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { supportWriterOf } from '../../audit/record-change.ts';
import { amountRule } from '../redemptions/redemption.graphql.ts';
import { PricingType } from './pricing.graphql.ts';
import { setCampaignPricing } from './set-campaign-pricing.ts';

const pricingWordRule = text({ min: 1, max: 50 });

const PricingInput = builder.inputType('PricingInput', {
  description: 'The price that a partner pays for redemptions.',
  fields: (t) => ({
    model: t.field({
      type: 'String',
      rule: pricingWordRule,
      description: 'FIXED, or another model.',
    }),
    amountEur: t.field({
      type: 'Decimal',
      rule: amountRule,
      description: 'The amount in euro, stored with ten decimals.',
    }),
    unit: t.field({
      type: 'String',
      rule: pricingWordRule,
      description: 'PER_REDEMPTION, or another unit.',
    }),
  }),
});

mutation('setCampaignPricing', {
  description: 'For platform support: sets the price of later redemptions of a partner’s campaign.',
  authScopes: { platformSupport: true },
  input: (t) => ({
    campaignId: t.field({ type: 'ID', description: 'The id of the campaign.' }),
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
