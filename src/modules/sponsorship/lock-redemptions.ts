import type { BillingStatus, Prisma } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';

export type LockedRedemption = {
  id: string;
  billingStatus: BillingStatus;
  billedAt: Date | null;
  sponsoredUntil: Date;
  sponsoredOrganizationId: string;
  organizationName: string;
};

/**
 * Redemptions of this organization's campaigns, held until the transaction ends: whoever else would change one waits, and sees
 * what we wrote. They are taken in the order of their ids, so that two who ask for the same ones never wait in a circle.
 */
export async function lockRedemptions(
  { organizationId, redemptionIds }: { organizationId: string; redemptionIds: readonly string[] },
  tx: Prisma.TransactionClient,
): Promise<LockedRedemption[]> {
  const locked = await tx.$queryRaw<LockedRedemption[]>`
    select r.id, r.billing_status as "billingStatus", r.billed_at as "billedAt", r.sponsored_until as "sponsoredUntil",
      r.sponsored_organization_id as "sponsoredOrganizationId", o.name as "organizationName"
    from redemptions r join organizations o on o.id = r.sponsored_organization_id
    where r.id = any(${[...redemptionIds]}) and r.organization_id = ${organizationId}
    order by r.id for no key update of r`;
  const found = new Set(locked.map(({ id }) => id));
  const missing = redemptionIds.find((id) => !found.has(id));
  if (missing === undefined) return locked;
  throw redemptionIds.length === 1 ? notFound('Redemption') : new AppError('NOT_FOUND', `Redemption ${missing} not found; none of them was changed`);
}
