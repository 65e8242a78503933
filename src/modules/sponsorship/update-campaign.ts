import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Campaign } from './campaign.ts';
import { readCampaign } from './read-campaigns.ts';
import { told } from './told-terms.ts';

/** Absent leaves a term as it is. Null clears a cap, an end or a number of seats, and is as good as absent elsewhere. */
export type CampaignTerms = {
  name?: string | null | undefined;
  durationMonths?: number | null | undefined;
  maxRedemptions?: number | null | undefined;
  expiresAt?: Date | null | undefined;
  isActive?: boolean | null | undefined;
  includedSeats?: number | null | undefined;
  allowedEmailDomains?: string[] | null | undefined;
  allowedEmails?: string[] | null | undefined;
};

/** Changed terms hold for later redemptions: what was redeemed keeps its own copy. Without a term nothing is written. */
export async function updateCampaign({ campaignId, terms }: { campaignId: string; terms: CampaignTerms }, writer: Writer): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const { maxRedemptions, expiresAt, includedSeats, name, durationMonths, isActive, allowedEmailDomains, allowedEmails } = terms;
  const clearable = { maxRedemptions, expiresAt, includedSeats };
  const lasting = { name, durationMonths, isActive, allowedEmailDomains, allowedEmails };
  const data = { ...given(clearable, [undefined]), ...given(lasting, [undefined, null]) };
  if (Object.keys(data).length > 0) {
    await change(writer, async (tx, record, at) => {
      const { count } = await tx.campaign.updateMany({ where: { id: campaignId, organizationId }, data: { ...data, updatedAt: at } });
      if (count === 0) throw notFound('Campaign');
      await record({ action: 'update-campaign', targetType: 'Campaign', targetId: campaignId, changes: told(data) });
    });
  }
  return readCampaign({ organizationId, campaignId }, writer);
}

const given = (terms: CampaignTerms, absent: readonly unknown[]) => Object.fromEntries(Object.entries(terms).filter(([, value]) => !absent.includes(value)));
