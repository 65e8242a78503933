import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Campaign } from './campaign.ts';
import { readCampaign } from './read-campaigns.ts';
import { told } from './told-terms.ts';

export type CreateCampaign = {
  name: string;
  durationMonths: number;
  maxRedemptions?: number | null | undefined;
  expiresAt?: Date | null | undefined;
  includedSeats?: number | null | undefined;
  allowedEmailDomains?: string[] | null | undefined;
  allowedEmails?: string[] | null | undefined;
};

export async function createCampaign(
  { name, durationMonths, maxRedemptions = null, expiresAt = null, includedSeats = null, allowedEmailDomains, allowedEmails }: CreateCampaign,
  writer: Writer,
): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const campaignId = await change(writer, async (tx, record, at) => {
    const terms = {
      name,
      durationMonths,
      maxRedemptions,
      expiresAt,
      includedSeats,
      allowedEmailDomains: allowedEmailDomains ?? [],
      allowedEmails: allowedEmails ?? [],
    };
    const { id } = await tx.campaign.create({
      data: { ...terms, id: newId(at.getTime()), organizationId, createdAt: at, updatedAt: at },
      select: { id: true },
    });
    await record({ action: 'create-campaign', targetType: 'Campaign', targetId: id, changes: told(terms) });
    return id;
  });
  return readCampaign({ organizationId, campaignId }, writer);
}
