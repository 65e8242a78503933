import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { lockRedemption } from './lock-redemption.ts';

type SetRedemptionBilling = {
  redemptionId: string;
  billingStatus: BillingStatus;
  billingAmount?: number | null | undefined;
  billingBatchId?: string | null | undefined;
};

type Before = { billingStatus: BillingStatus; billedAt: Date | null };

/** Moves a redemption to any billing status. An amount or batch that is left out stays; every change is kept in the history. */
export async function setRedemptionBilling(asked: SetRedemptionBilling, writer: Writer): Promise<void> {
  const { redemptionId, billingStatus, billingAmount, billingBatchId } = asked;
  const { organizationId, keyId, userId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const before = await lockRedemption({ redemptionId, organizationId }, tx);
    const { billingAmount: amount, billingBatchId: batchId } = await tx.redemption.update({
      where: { id: redemptionId },
      data: {
        billingStatus,
        ...(typeof billingAmount === 'number' && { billingAmount }),
        ...(typeof billingBatchId === 'string' && { billingBatchId }),
        ...consequencesOf(billingStatus, before, at),
      },
      select: { billingAmount: true, billingBatchId: true },
    });
    await tx.billingChange.create({
      data: {
        redemptionId,
        organizationId,
        at,
        statusBefore: before.billingStatus,
        status: billingStatus,
        amount,
        batchId,
        actorKeyId: keyId,
        actorUserId: userId,
      },
      select: { id: true },
    });
    const changes = { statusBefore: before.billingStatus, status: billingStatus, amount: amount?.toNumber() ?? null, batchId };
    await record({ action: 'set-redemption-billing', targetType: 'Redemption', targetId: redemptionId, changes });
  });
}

/** Entering BILLED sets the date, staying there keeps it; UNBILLED has neither date nor batch. */
function consequencesOf(status: BillingStatus, before: Before, at: Date): { billedAt?: Date | null; billingBatchId?: null } {
  if (status === 'UNBILLED') return { billedAt: null, billingBatchId: null };
  if (status === 'BILLED') return { billedAt: before.billingStatus === 'BILLED' ? before.billedAt : at };
  return {};
}
