import { AppError } from '../../../platform/errors.ts';
import type { Limits } from '../../../platform/limits.ts';

const windowSeconds = 900;
const triesOfAccount = 10;
const triesOfNetwork = 60;
const daySeconds = 86_400;
/**
 * Three of a million codes are right at any moment: 100 guesses a day find one with a probability
 * of 0.03 %.
 */
const triesOfAccountADay = 100;

type Try = { userId: string; network: string };

/**
 * Counts a try to show a second factor before the comparison, so that parallel requests get no more
 * tries than serial ones.
 */
export async function takeSecondFactorTry({ userId, network }: Try, limits: Limits): Promise<void> {
  const taken = await Promise.all([
    limits.take(`second-factor:${userId}`, triesOfAccount, windowSeconds),
    limits.take(`second-factor-day:${userId}`, triesOfAccountADay, daySeconds),
    limits.take(`second-factor-from:${network}`, triesOfNetwork, windowSeconds),
  ]);
  if (taken.some(({ exceeded }) => exceeded)) {
    throw new AppError(
      'RATE_LIMITED',
      'Too many codes were tried. Please wait 15 minutes, or use a passkey',
    );
  }
}
