import { notFound } from '../../../platform/errors.ts';
import { change, type Writer } from '../../audit/record-change.ts';
import type { Pricing } from './pricing.ts';

/**
 * Sets the price of later redemptions of the campaign; null removes it. Earlier redemptions keep
 * their own copy.
 */
export async function setCampaignPricing(
  { campaignId, pricing }: { campaignId: string; pricing: Pricing | null },
  writer: Writer,
): Promise<void> {
  await change(writer, async (tx, record, at) => {
    const { count } = await tx.campaign.updateMany({
      where: { id: campaignId, organizationId: writer.actor.organizationId },
      data: {
        pricingModel: pricing?.model ?? null,
        pricingAmountEur: pricing?.amountEur ?? null,
        pricingUnit: pricing?.unit ?? null,
        updatedAt: at,
      },
    });
    if (count === 0) throw notFound('Campaign');
    await record({
      action: 'set-campaign-pricing',
      targetType: 'Campaign',
      targetId: campaignId,
      changes: { pricing: pricing && { ...pricing } },
    });
  });
}
