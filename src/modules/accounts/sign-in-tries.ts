import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';

/**
 * Who tries. `device` is the id of a browser that signed in to this account before, or the id of a
 * session of the account.
 */
export type SignInTry = { email: string; network: string; device?: string | undefined };

const triesAMinute = 10;
const hourSeconds = 3_600;
const withoutDelay = 100;
const refusedFrom = 1_000;
const firstDelayMs = 250;
const delayMsMax = 8_000;
const triesUntilDoubled = 50;

/**
 * Counts a try to show the password of an account: before the comparison, so that many at once get
 * no more tries than one after the other. Each network has its own ten a minute, and so has each
 * device that the account knows: nobody else can use them up. What all unknown devices try together
 * is first delayed and, at a thousand an hour, refused: the owner's devices go on working.
 */
export async function takeSignInTry(
  { email, network, device }: SignInTry,
  limits: Limits,
): Promise<void> {
  const own =
    device === undefined ? `sign-in:${email}:${network}` : `sign-in-device:${email}:${device}`;
  const { exceeded, retryAfterSeconds } = await limits.take(own, triesAMinute);
  if (exceeded) throw tooMany('Too many tries. Please try again in a minute.', retryAfterSeconds);
  if (device !== undefined) return;
  const all = await limits.take(`sign-in-all:${email}`, refusedFrom, hourSeconds);
  if (all.exceeded)
    throw tooMany(
      'Too many tries for this account. Please use a browser that signed in before, or choose a new password.',
      all.retryAfterSeconds,
    );
  const delayMs = delayAfter(refusedFrom - all.remaining);
  if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
}

/**
 * How long a try of an unknown device waits, by the number of such tries for the account within the
 * hour.
 */
export function delayAfter(tries: number): number {
  if (tries <= withoutDelay) return 0;
  return Math.min(
    delayMsMax,
    firstDelayMs * 2 ** Math.floor((tries - withoutDelay - 1) / triesUntilDoubled),
  );
}

const tooMany = (message: string, retryAfterSeconds: number) =>
  new AppError('RATE_LIMITED', message, undefined, retryAfterSeconds);
