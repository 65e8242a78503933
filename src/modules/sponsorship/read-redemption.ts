import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type Redemption, redemptionColumns, redemptionPlaces } from './redemption.ts';

/** A redemption of this organization's campaigns. Every other one is not found. */
export async function readRedemption(
  { organizationId, redemptionId }: { organizationId: string; redemptionId: string },
  { database }: { database: Database },
): Promise<Redemption> {
  const [redemption] = await database.sql<Redemption>`
    select ${redemptionColumns} from redemptions r join campaigns c on c.id = r.campaign_id ${redemptionPlaces}
    where r.id = ${redemptionId} and r.organization_id = ${organizationId}`;
  if (!redemption) throw notFound('Redemption');
  return redemption;
}
