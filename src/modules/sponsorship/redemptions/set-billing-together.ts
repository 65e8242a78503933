import { AppError } from '../../../platform/errors.ts';
import type { Writer } from '../../audit/record-change.ts';
import { type RedemptionBilling, setRedemptionsBilling } from './set-redemptions-billing.ts';

type SetBillingTogetherInput = Omit<RedemptionBilling, 'redemptionId'> & {
  redemptionIds: readonly string[];
};

/** Sets the same billing for redemptions; either for all or none. */
export async function setBillingTogether(
  { redemptionIds, ...billing }: SetBillingTogetherInput,
  writer: Writer,
): Promise<void> {
  const billings = redemptionIds.map((redemptionId) => ({ ...billing, redemptionId }));
  const refusals = await setRedemptionsBilling({ billings, isAtomic: true }, writer);
  for (const [index, refusal] of refusals.entries())
    if (refusal)
      throw new AppError(
        refusal.code,
        `${refusal.message} (redemption ${redemptionIds[index]}); none of them was changed`,
        refusal.reason,
      );
}
