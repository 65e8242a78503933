import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type LockedRedemption, lockRedemptions } from './lock-redemptions.ts';

export type Billing = {
  billingStatus: BillingStatus;
  billingAmount?: number | null | undefined;
  billingBatchId?: string | null | undefined;
};

type SetRedemptionsBilling = Billing & { redemptionIds: readonly string[] };

/**
 * Moves redemptions to any billing status, all or none of them. An amount or batch that is left out stays; every change is kept
 * in the history. As many statements for five hundred as for one.
 */
export async function setRedemptionsBilling(asked: SetRedemptionsBilling, writer: Writer): Promise<void> {
  const { redemptionIds, billingStatus, billingAmount, billingBatchId } = asked;
  const { organizationId, keyId, userId } = writer.actor;
  if (redemptionIds.length === 0) return;
  await change(writer, async (tx, record, at) => {
    const before = await lockRedemptions({ organizationId, redemptionIds }, tx);
    const statusBefore = new Map(before.map((one) => [one.id, one.billingStatus]));
    const given = {
      ...(typeof billingAmount === 'number' && { billingAmount }),
      ...(typeof billingBatchId === 'string' && { billingBatchId }),
    };
    const set = (ids: string[], consequences: Consequences) =>
      tx.redemption.updateManyAndReturn({
        where: { id: { in: ids } },
        data: { billingStatus, ...given, ...consequences },
        select: { id: true, billingAmount: true, billingBatchId: true },
      });
    const changed = [];
    for (const { ids, consequences } of consequencesOf(billingStatus, before, at)) changed.push(...(await set(ids, consequences)));
    const told = changed.map(({ id, billingAmount: amount, billingBatchId: batchId }) => ({
      redemptionId: id,
      statusBefore: statusBefore.get(id) ?? billingStatus,
      status: billingStatus,
      amount,
      batchId,
    }));
    await tx.billingChange.createMany({ data: told.map((one) => ({ ...one, organizationId, at, actorKeyId: keyId, actorUserId: userId })) });
    await record(
      ...told.map(({ redemptionId, amount, ...changes }) => ({
        action: 'set-redemption-billing',
        targetType: 'Redemption',
        targetId: redemptionId,
        changes: { ...changes, amount: amount?.toNumber() ?? null },
      })),
    );
  });
}

type Consequences = { billedAt?: Date | null; billingBatchId?: null };

/** Entering BILLED sets the date, staying there keeps it; UNBILLED has neither date nor batch. */
function consequencesOf(status: BillingStatus, before: LockedRedemption[], at: Date): { ids: string[]; consequences: Consequences }[] {
  const idsOf = (some: LockedRedemption[]) => some.map(({ id }) => id);
  if (status === 'UNBILLED') return [{ ids: idsOf(before), consequences: { billedAt: null, billingBatchId: null } }];
  if (status !== 'BILLED') return [{ ids: idsOf(before), consequences: {} }];
  const entering = before.filter(({ billingStatus }) => billingStatus !== 'BILLED');
  const staying = before.filter(({ billingStatus }) => billingStatus === 'BILLED');
  return [
    { ids: idsOf(entering), consequences: { billedAt: at } },
    { ids: idsOf(staying), consequences: {} },
  ].filter(({ ids }) => ids.length > 0);
}
