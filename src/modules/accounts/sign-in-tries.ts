import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';

const triesAMinute = 10;

/** Counts a try to show the password of an account: before the comparison, so that many at once get no more tries than one after the other. */
export async function takeSignInTry(email: string, limits: Limits): Promise<void> {
  if ((await limits.take(`sign-in:${email}`, triesAMinute)).exceeded) throw new AppError('RATE_LIMITED', 'Too many tries. Please try again in a minute.');
}
