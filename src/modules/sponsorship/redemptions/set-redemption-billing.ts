import type { Writer } from '../../audit/record-change.ts';
import { type RedemptionBilling, setRedemptionsBilling } from './set-redemptions-billing.ts';

/** Sets the billing status of one redemption. */
export async function setRedemptionBilling(
  billing: RedemptionBilling,
  writer: Writer,
): Promise<void> {
  const [refusal] = await setRedemptionsBilling({ billings: [billing], isAtomic: true }, writer);
  if (refusal) throw refusal;
}
