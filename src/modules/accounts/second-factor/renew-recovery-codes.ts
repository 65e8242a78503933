import { AppError } from '../../../platform/errors.ts';
import {
  changeSecondFactor,
  type SecondFactorOwner,
  type SecondFactorServices,
} from './change-second-factor.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

/** Replaces all recovery codes of an account that has a second factor. */
export function renewRecoveryCodes(
  owner: SecondFactorOwner,
  services: SecondFactorServices,
): Promise<string[]> {
  return changeSecondFactor(owner, services, {
    action: 'renew-recovery-codes',
    change: 'recoveryCodesRenewed',
    run: async (tx) => {
      const [user] = await tx.sql<{ isEnabled: boolean }>`
        select second_factor_enabled as "isEnabled" from users where id = ${owner.userId}`;
      if (!user?.isEnabled)
        throw new AppError(
          'CONFLICT',
          'Set up an authenticator app or a passkey first',
          'NO_SECOND_FACTOR',
        );
      return replaceRecoveryCodes(owner.userId, tx);
    },
  });
}
