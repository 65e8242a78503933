import { builder } from '../../../graph/schema/builder.ts';
import type { Pricing } from './pricing.ts';

export const PricingType = builder.objectRef<Pricing>('Pricing').implement({
  description: 'Commercial terms. Only platform support sets them.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'FIXED, or another model.' }),
    amountEur: t.expose('amountEur', { type: 'Decimal', description: 'The amount in euro.' }),
    unit: t.exposeString('unit', { description: 'PER_REDEMPTION, or another unit.' }),
  }),
});
