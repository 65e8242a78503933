import type { Writer } from '../../audit/record-change.ts';
import { extendRedemptions } from './extend-redemptions.ts';
import { readRedemption } from './read-redemption.ts';
import type { Redemption } from './redemption.ts';

type ExtendRedemptionInput = {
  redemptionId: string;
  newSponsoredUntil: Date;
  reason?: string | null | undefined;
};

/** Moves the end of one sponsorship to a later time, even if it has already ended. */
export async function extendRedemption(
  { redemptionId, ...extension }: ExtendRedemptionInput,
  writer: Writer,
): Promise<Redemption> {
  await extendRedemptions({ redemptionIds: [redemptionId], ...extension }, writer);
  return readRedemption({ organizationId: writer.actor.organizationId, redemptionId }, writer);
}
