import type { BillingStatus, Prisma } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';

type Locked = { billingStatus: BillingStatus; billedAt: Date | null; sponsoredUntil: Date; sponsoredOrganizationId: string };

/** A redemption of this organization's campaigns, held until the transaction ends: whoever else would change it waits, and sees what we wrote. */
export async function lockRedemption(
  { organizationId, redemptionId }: { organizationId: string; redemptionId: string },
  tx: Prisma.TransactionClient,
): Promise<Locked> {
  const [redemption] = await tx.$queryRaw<Locked[]>`
    select billing_status as "billingStatus", billed_at as "billedAt", sponsored_until as "sponsoredUntil",
      sponsored_organization_id as "sponsoredOrganizationId"
    from redemptions where id = ${redemptionId} and organization_id = ${organizationId} for no key update`;
  if (!redemption) throw notFound('Redemption');
  return redemption;
}
