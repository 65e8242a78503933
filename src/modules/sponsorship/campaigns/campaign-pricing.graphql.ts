import { builder } from '../../../graph/schema/builder.ts';
import { alwaysSent } from '../../../graph/schema/presence.ts';
import { textScalar } from '../../../graph/schema/scalars.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { supportWriterOf } from '../../audit/record-change.ts';
import { PricingType } from './pricing.graphql.ts';
import type { Pricing } from './pricing.ts';
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
  fields: (t) => ({
    model: t.field({ type: 'PricingWord', description: 'FIXED, or another model.' }),
    amountEur: t.field({ type: 'BillingAmount' }),
    unit: t.field({ type: 'PricingWord', description: 'PER_REDEMPTION, or another unit.' }),
  }),
});

const PricedCampaign = builder
  .objectRef<{ campaignId: string; pricing: Pricing | null }>('PricedCampaign')
  .implement({
    fields: (t) => ({
      campaignId: t.exposeID('campaignId'),
      pricing: t.expose('pricing', { type: PricingType, nullable: true }),
    }),
  });

builder.mutationField('setCampaignPricing', (t) =>
  t.field({
    type: PricedCampaign,
    description:
      'For platform support: sets the price of later redemptions of a partner’s campaign.',
    args: {
      campaignId: t.arg({ type: 'ResourceId' }),
      pricing: t.arg({
        type: PricingInput,
        ...alwaysSent,
        description: 'Null removes the pricing.',
      }),
    },
    authScopes: { platformSupport: true },
    resolve: async (_, { campaignId, pricing = null }, caller) => {
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
  }),
);
