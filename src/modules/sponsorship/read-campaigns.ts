import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type Campaign, campaignColumns } from './campaign.ts';

type Parts = { database: Database; clock: Clock };

/** These campaigns of this organization, in the order of the ids; undefined for every other one. */
export async function readCampaigns(
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
  { database, clock }: Parts,
): Promise<(Campaign | undefined)[]> {
  const rows = await database.sql<Campaign>`
    select ${campaignColumns(clock())} from campaigns c where c.id = any(${campaignIds}) and c.organization_id = ${organizationId}`;
  const campaigns = new Map(rows.map((campaign) => [campaign.id, campaign]));
  return campaignIds.map((id) => campaigns.get(id));
}

/** A campaign of this organization. Every other one is not found. */
export async function readCampaign(
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
  parts: Parts,
): Promise<Campaign> {
  const [campaign] = await readCampaigns({ organizationId, campaignIds: [campaignId] }, parts);
  if (!campaign) throw notFound('Campaign');
  return campaign;
}
