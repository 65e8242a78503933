import type { Writer } from '../../audit/record-change.ts';
import { type BillingInput, setRedemptionsBilling } from './set-redemptions-billing.ts';

type SetRedemptionBillingInput = BillingInput & { redemptionId: string };

/** Sets the billing status of one redemption; every status can follow every other one. */
export function setRedemptionBilling(
  { redemptionId, ...billing }: SetRedemptionBillingInput,
  writer: Writer,
): Promise<void> {
  return setRedemptionsBilling({ redemptionIds: [redemptionId], ...billing }, writer);
}
