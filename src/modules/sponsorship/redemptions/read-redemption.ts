import type { Database } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

/** Reads a redemption of this organization; throws NOT_FOUND for one of another organization. */
export async function readRedemption(
  { organizationId, redemptionId }: { organizationId: string; redemptionId: string },
  { database }: { database: Database },
): Promise<Redemption> {
  const [redemption] = await database.sql<Redemption>`
    select ${redemptionColumns} from redemptions r join campaigns c on c.id = r.campaign_id ${redemptionLookups}
    where r.id = ${redemptionId} and r.organization_id = ${organizationId}`;
  if (!redemption) throw notFound('Redemption');
  return redemption;
}
