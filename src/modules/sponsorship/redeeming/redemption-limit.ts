import { AppError } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { networkOf, wideNetworkOf } from '../../../platform/network-of.ts';

const windowSeconds = 600;
const perPersonMax = 3;
const personWindowSeconds = 3_600;
const wideNetworkFactor = 4;

type RedemptionClient = { userId: string; clientAddress: string | undefined };
type CountRedemptionDependencies = { limits: RateLimits; redemptionLimit: number };

/**
 * Counts a redemption before its workspace is created, for the person and for their network,
 * because each workspace costs the sponsor money. Returns a function that uncounts it if the
 * redemption fails.
 */
export async function countRedemption(
  { userId, clientAddress }: RedemptionClient,
  { limits, redemptionLimit }: CountRedemptionDependencies,
): Promise<() => Promise<void>> {
  const counters = [
    { name: `redemptions:person:${userId}`, max: perPersonMax, seconds: personWindowSeconds },
    {
      name: `redemptions:network:${networkOf(clientAddress)}`,
      max: redemptionLimit,
      seconds: windowSeconds,
    },
    {
      name: `redemptions:around:${wideNetworkOf(clientAddress)}`,
      max: wideNetworkFactor * redemptionLimit,
      seconds: windowSeconds,
    },
  ];
  const usedCounters: typeof counters = [];
  const uncount = async () =>
    void (await Promise.all(usedCounters.map(({ name, seconds }) => limits.refund(name, seconds))));
  for (const counter of counters) {
    const { exceeded, retryAfterSeconds } = await limits.consume(
      counter.name,
      counter.max,
      counter.seconds,
    );
    usedCounters.push(counter);
    if (!exceeded) continue;
    await uncount();
    const subject = counter.name.startsWith('redemptions:person:')
      ? 'with your account'
      : 'from your network';
    throw new AppError(
      'RATE_LIMITED',
      `Several workspaces were created ${subject} just now. Please try again in ${Math.ceil(retryAfterSeconds / 60)} min.`,
    );
  }
  return uncount;
}
