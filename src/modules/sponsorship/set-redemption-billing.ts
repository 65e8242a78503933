import type { Writer } from '../audit/record-change.ts';
import { type Billing, setRedemptionsBilling } from './set-redemptions-billing.ts';

type SetRedemptionBilling = Billing & { redemptionId: string };

/** Moves one redemption to any billing status. */
export function setRedemptionBilling(
  { redemptionId, ...billing }: SetRedemptionBilling,
  writer: Writer,
): Promise<void> {
  return setRedemptionsBilling({ redemptionIds: [redemptionId], ...billing }, writer);
}
