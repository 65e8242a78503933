import { setTimeout as wait } from 'node:timers/promises';
import { rateLimited } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';

/**
 * The account and the sender of an attempt. `device` is the id of a browser that signed in to this
 * account before, or the id of a session of the account.
 */
export type SignInAttempt = { email: string; network: string; device?: string | undefined };

const attemptsPerMinuteMax = 10;
const hourSeconds = 3_600;
const undelayedAttempts = 100;
const attemptsPerHourMax = 1_000;
const firstDelayMs = 250;
const delayMsMax = 8_000;
const attemptsPerDoubling = 50;

/**
 * Counts an attempt to sign in with a password. It counts before the comparison, so that parallel
 * requests get no more attempts than serial ones. Each network and each device that the account
 * knows has its own ten attempts per minute, which nobody else can use up. The attempts of all
 * unknown devices together are first delayed and, from a thousand per hour, rejected. The owner's
 * known devices are not affected.
 */
export async function countSignInAttempt(
  { email, network, device }: SignInAttempt,
  limits: RateLimits,
): Promise<void> {
  const ownCounter =
    device === undefined ? `sign-in:${email}:${network}` : `sign-in-device:${email}:${device}`;
  const { exceeded, retryAfterSeconds } = await limits.consume(ownCounter, attemptsPerMinuteMax);
  if (exceeded)
    throw rateLimited('Too many tries. Please try again in a minute.', retryAfterSeconds);
  if (device !== undefined) return;
  const allDevices = await limits.consume(`sign-in-all:${email}`, attemptsPerHourMax, hourSeconds);
  if (allDevices.exceeded)
    throw rateLimited(
      'Too many tries for this account. Please use a browser that signed in before, or choose a new password.',
      allDevices.retryAfterSeconds,
      'TOO_MANY_TRIES_FOR_ACCOUNT',
    );
  const delayMs = delayAfter(attemptsPerHourMax - allDevices.remaining);
  if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
}

/**
 * How long an attempt of an unknown device waits, by the number of such attempts for the account
 * within the hour.
 */
export function delayAfter(attempts: number): number {
  if (attempts <= undelayedAttempts) return 0;
  return Math.min(
    delayMsMax,
    firstDelayMs * 2 ** Math.floor((attempts - undelayedAttempts - 1) / attemptsPerDoubling),
  );
}
