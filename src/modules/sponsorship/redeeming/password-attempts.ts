import { AppError } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { networkOf, wideNetworkOf } from '../../../platform/network-of.ts';

type AttemptWindow = { attemptsMax: number; windowSeconds: number };
type AttemptCounter = { name: string; windowSeconds: number };
type PasswordAttempt = { linkId: string; clientAddress: string | undefined };

const hourSeconds = 3_600;
const daySeconds = 86_400;

// The daily limit keeps an attacker from trying all 10,000 four-digit passwords within days.
const networkWindows: AttemptWindow[] = [
  { attemptsMax: 10, windowSeconds: 900 },
  { attemptsMax: 50, windowSeconds: daySeconds },
];
const wideNetworkWindows: AttemptWindow[] = [
  { attemptsMax: 20, windowSeconds: 900 },
  { attemptsMax: 100, windowSeconds: daySeconds },
];
// Attempts at one link within an hour, far above the number of honest typing errors. Above the
// first number a /24 or /48 can make only its first attempt of the day, so that an attacker with
// many networks does not lock everyone else out. Above the second number nobody can try until the
// hour is over.
const linkLimits = { anyNetworkMax: 300, newNetworkMax: 1_000 };

/**
 * Counts an attempt before the password is compared, so that parallel requests get no more attempts
 * than sequential ones. It counts for the network first, then for the wide network around it, then
 * for the link: a network that has used up its own attempts does not use up those of the link.
 * Returns a function that uncounts the attempt.
 */
export async function countPasswordAttempt(
  { linkId, clientAddress }: PasswordAttempt,
  limits: RateLimits,
): Promise<() => Promise<void>> {
  const prefix = `link-password:${linkId}`;
  const counters: AttemptCounter[] = [];
  const count = async (subject: string, { attemptsMax, windowSeconds }: AttemptWindow) => {
    const counter = { name: `${prefix}:${subject}:${windowSeconds}`, windowSeconds };
    counters.push(counter);
    const allowance = await limits.consume(counter.name, attemptsMax, windowSeconds);
    return { ...allowance, used: attemptsMax - allowance.remaining };
  };
  /** Returns the number of attempts in the last of the windows, including this one. */
  const countInAll = async (subject: string, windows: AttemptWindow[]): Promise<number> => {
    let used = 0;
    for (const window of windows) {
      const allowance = await count(subject, window);
      if (allowance.exceeded) throw tooManyAttempts();
      used = allowance.used;
    }
    return used;
  };
  await countInAll(networkOf(clientAddress), networkWindows);
  const usedToday = await countInAll(`around ${wideNetworkOf(clientAddress)}`, wideNetworkWindows);
  const linkAllowance = await count('link', {
    attemptsMax: linkLimits.newNetworkMax,
    windowSeconds: hourSeconds,
  });
  if (linkAllowance.exceeded) throw tooManyAttempts();
  if (linkAllowance.used > linkLimits.anyNetworkMax && usedToday > 1) {
    // The rejected attempt does not count for the link, so that a network with no attempt today
    // still has one.
    await limits.refund(`${prefix}:link:${hourSeconds}`, hourSeconds);
    throw tooManyAttempts();
  }
  return async () =>
    void (await Promise.all(
      counters.map((counter) => limits.refund(counter.name, counter.windowSeconds)),
    ));
}

const tooManyAttempts = () =>
  new AppError('RATE_LIMITED', 'Too many wrong passwords. Please try again later.');
