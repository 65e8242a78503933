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
    const updated = await tx.sql`
      update campaigns set pricing_model = ${pricing?.model ?? null}, pricing_amount_eur = ${pricing?.amountEur ?? null},
        pricing_unit = ${pricing?.unit ?? null}, updated_at = ${at}
      where id = ${campaignId} and organization_id = ${writer.actor.organizationId} returning id`;
    if (updated.length === 0) throw notFound('Campaign');
    record({
      action: 'set-campaign-pricing',
      targetType: 'Campaign',
      targetId: campaignId,
      changes: { pricing: pricing && { ...pricing } },
    });
  });
}
