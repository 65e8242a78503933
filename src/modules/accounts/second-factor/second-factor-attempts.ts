import { rateLimited } from '../../../platform/errors.ts';
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
  const waits = counts.flatMap(({ exceeded, retryAfterSeconds }) =>
    exceeded ? [retryAfterSeconds] : [],
  );
  if (waits.length > 0) {
    const seconds = Math.max(...waits);
    const minutes = Math.ceil(seconds / 60);
    throw rateLimited(
      `Too many codes were tried. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or use a passkey`,
      seconds,
      'TOO_MANY_CODES',
    );
  }
}
