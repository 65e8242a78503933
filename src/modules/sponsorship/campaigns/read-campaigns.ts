import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Campaign, campaignColumns } from './campaign.ts';

type ReadCampaignDependencies = { database: Database; clock: Clock };

/**
 * Reads campaigns in the order of the ids; undefined for one that does not exist or belongs to
 * another organization.
 */
export async function readCampaigns(
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
  { database, clock }: ReadCampaignDependencies,
): Promise<(Campaign | undefined)[]> {
  const rows = await database.sql<Campaign>`
    select ${campaignColumns(clock())} from campaigns c where c.id = any(${campaignIds}) and c.organization_id = ${organizationId}`;
  const campaigns = new Map(rows.map((campaign) => [campaign.id, campaign]));
  return campaignIds.map((id) => campaigns.get(id));
}

/** Reads a campaign of this organization; throws NOT_FOUND for one of another organization. */
export async function readCampaign(
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
  dependencies: ReadCampaignDependencies,
): Promise<Campaign> {
  const [campaign] = await readCampaigns(
    { organizationId, campaignIds: [campaignId] },
    dependencies,
  );
  if (!campaign) throw notFound('Campaign');
  return campaign;
}
