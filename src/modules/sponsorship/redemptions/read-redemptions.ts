import type { Database } from '../../../platform/database/database.ts';
import { anyOf } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

type ReadRedemptionDependencies = { database: Database };

/**
 * Reads redemptions in the order of the ids; undefined for one that does not exist or belongs to
 * another organization.
 */
export async function readRedemptions(
  { organizationId, redemptionIds }: { organizationId: string; redemptionIds: readonly string[] },
  { database }: ReadRedemptionDependencies,
): Promise<(Redemption | undefined)[]> {
  const rows = await database.sql<Redemption>`
    select ${redemptionColumns} from redemptions r join campaigns c on c.id = r.campaign_id ${redemptionLookups}
    where r.id ${anyOf(redemptionIds)} and r.organization_id = ${organizationId}`;
  const redemptions = new Map(rows.map((redemption) => [redemption.id, redemption]));
  return redemptionIds.map((id) => redemptions.get(id));
}

/** Reads a redemption of this organization; throws NOT_FOUND for one of another organization. */
export async function readRedemption(
  { organizationId, redemptionId }: { organizationId: string; redemptionId: string },
  dependencies: ReadRedemptionDependencies,
): Promise<Redemption> {
  const [redemption] = await readRedemptions(
    { organizationId, redemptionIds: [redemptionId] },
    dependencies,
  );
  if (!redemption) throw notFound('Redemption');
  return redemption;
}
