import type { Writer } from '../../audit/record-change.ts';
import { extendRedemptions } from './extend-redemptions.ts';
import { readRedemption } from './read-redemptions.ts';
import type { Redemption } from './redemption.ts';

type ExtendRedemptionInput = {
  redemptionId: string;
  newSponsoredUntil: Date;
  reason?: string | null | undefined;
};

/** Moves the end of one sponsorship to a later time, even if it has already ended. */
export async function extendRedemption(
  extension: ExtendRedemptionInput,
  writer: Writer,
): Promise<Redemption> {
  const { redemptionId } = extension;
  const [outcome] = await extendRedemptions({ extensions: [extension], isAtomic: true }, writer);
  if (outcome?.refusal) throw outcome.refusal;
  return readRedemption({ organizationId: writer.actor.organizationId, redemptionId }, writer);
}
