import { AppError } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';

const windowSeconds = 900;
const accountAttemptsMax = 10;
const networkAttemptsMax = 60;
const daySeconds = 86_400;
/**
 * At any moment three of a million codes are valid, so 100 guesses per day succeed with a
 * probability of 0.03 %.
 */
const accountAttemptsPerDayMax = 100;

type SecondFactorAttempt = { userId: string; network: string };

/**
 * Counts an attempt to enter a second factor. It counts before the comparison, so that parallel
 * requests get no more attempts than serial ones.
 */
export async function countSecondFactorAttempt(
  { userId, network }: SecondFactorAttempt,
  limits: RateLimits,
): Promise<void> {
  const counts = await Promise.all([
    limits.consume(`second-factor:${userId}`, accountAttemptsMax, windowSeconds),
    limits.consume(`second-factor-day:${userId}`, accountAttemptsPerDayMax, daySeconds),
    limits.consume(`second-factor-from:${network}`, networkAttemptsMax, windowSeconds),
  ]);
  if (counts.some(({ exceeded }) => exceeded)) {
    throw new AppError(
      'RATE_LIMITED',
      'Too many codes were tried. Please wait 15 minutes, or use a passkey',
    );
  }
}
