import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { networkOf, wideNetworkOf } from '../../platform/network-of.ts';

type Window = { triesMax: number; windowSeconds: number };
type Count = { name: string; windowSeconds: number };
type Try = { linkId: string; clientAddress: string | undefined };

const hour = 3_600;
const day = 86_400;

// The day's limit keeps the 10,000 passwords of four digits from being through within days.
const ofNetwork: Window[] = [
  { triesMax: 10, windowSeconds: 900 },
  { triesMax: 50, windowSeconds: day },
];
const ofWideNetwork: Window[] = [
  { triesMax: 20, windowSeconds: 900 },
  { triesMax: 100, windowSeconds: day },
];
// Far above what honest people mistype. From there on a /24 or /48 has only its first try of the
// day, so that an attacker with very many networks does not lock out everybody else; and beyond the
// second number nobody has any until the hour is over.
const ofLink = { anyNetworkMax: 300, newNetworkMax: 1_000 };

/**
 * Counts a try before the comparison, so that many at once get no more than one after the other.
 * First by the network, then by what is around it, then by the link: whoever has used up their own
 * tries uses up nobody else's. Returns how to take the try back.
 */
export async function takePasswordTry(
  { linkId, clientAddress }: Try,
  limits: Limits,
): Promise<() => Promise<void>> {
  const name = `link-password:${linkId}`;
  const taken: Count[] = [];
  const take = async (subject: string, { triesMax, windowSeconds }: Window) => {
    const count = { name: `${name}:${subject}:${windowSeconds}`, windowSeconds };
    taken.push(count);
    const allowance = await limits.take(count.name, triesMax, windowSeconds);
    return { ...allowance, used: triesMax - allowance.remaining };
  };
  /** How many tries the last window has seen, this one included. */
  const requireAll = async (subject: string, windows: Window[]): Promise<number> => {
    let used = 0;
    for (const window of windows) {
      const allowance = await take(subject, window);
      if (allowance.exceeded) throw tooMany();
      used = allowance.used;
    }
    return used;
  };
  await requireAll(networkOf(clientAddress), ofNetwork);
  const usedToday = await requireAll(`around ${wideNetworkOf(clientAddress)}`, ofWideNetwork);
  const onLink = await take('link', { triesMax: ofLink.newNetworkMax, windowSeconds: hour });
  if (onLink.exceeded) throw tooMany();
  if (onLink.used > ofLink.anyNetworkMax && usedToday > 1) {
    // So that a refused try leaves room for a network that has had none.
    await limits.giveBack(`${name}:link:${hour}`, hour);
    throw tooMany();
  }
  return async () =>
    void (await Promise.all(
      taken.map((count) => limits.giveBack(count.name, count.windowSeconds)),
    ));
}

const tooMany = () =>
  new AppError('RATE_LIMITED', 'Too many wrong passwords. Please try again later.');
