import { AppError, InputError } from '../../../platform/errors.ts';
import type { Writer } from '../../audit/record-change.ts';
import { extendRedemptions, type RedemptionExtension } from './extend-redemptions.ts';

type ExtendTogetherInput = Omit<RedemptionExtension, 'redemptionId'> & {
  redemptionIds: readonly string[];
};

/** Extends redemptions in the same way; either all or none. The error names the first refused one. */
export async function extendTogether(
  { redemptionIds, ...extension }: ExtendTogetherInput,
  writer: Writer,
): Promise<void> {
  const { newSponsoredUntil = null, months = null } = extension;
  if ((newSponsoredUntil === null) === (months === null))
    throw new InputError(
      ['newSponsoredUntil', 'months'].map((field) => ({
        field,
        code: 'INVALID',
        message: 'Give either newSponsoredUntil or months',
      })),
    );
  const extensions = redemptionIds.map((redemptionId) => ({ ...extension, redemptionId }));
  const outcomes = await extendRedemptions({ extensions, isAtomic: true }, writer);
  for (const [index, { refusal, organizationName }] of outcomes.entries()) {
    if (!refusal) continue;
    const redemption = `redemption ${redemptionIds[index]}`;
    if (!(refusal instanceof InputError))
      throw new AppError(
        refusal.code,
        `${refusal.message} (${redemption}); none of them was extended`,
        refusal.reason,
      );
    const message = `The sponsorship of ${organizationName} (${redemption}): ${refusal.message}; none of them was extended`;
    throw new InputError(
      refusal.errors.map((fault) => ({ ...fault, message })),
      refusal.reason,
    );
  }
}
