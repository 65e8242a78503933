import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { networkOf, wideNetworkOf } from '../../platform/network-of.ts';

const windowSeconds = 600;
const personMax = 3;
const personWindowSeconds = 3_600;
const wideFactor = 4;

type Redeeming = { userId: string; clientAddress: string | undefined };
type LimitParts = { limits: Limits; redemptionLimit: number };

/**
 * Counts a workspace before it is made, for the person and for the network they come from; each
 * costs the sponsor money. Returns how to take the count back where none was made.
 */
export async function takeRedemption(
  { userId, clientAddress }: Redeeming,
  { limits, redemptionLimit }: LimitParts,
): Promise<() => Promise<void>> {
  const counts = [
    { name: `redemptions:person:${userId}`, max: personMax, seconds: personWindowSeconds },
    {
      name: `redemptions:network:${networkOf(clientAddress)}`,
      max: redemptionLimit,
      seconds: windowSeconds,
    },
    {
      name: `redemptions:around:${wideNetworkOf(clientAddress)}`,
      max: wideFactor * redemptionLimit,
      seconds: windowSeconds,
    },
  ];
  const taken: typeof counts = [];
  const giveBack = async () =>
    void (await Promise.all(taken.map(({ name, seconds }) => limits.giveBack(name, seconds))));
  for (const count of counts) {
    const { exceeded, retryAfterSeconds } = await limits.take(count.name, count.max, count.seconds);
    taken.push(count);
    if (!exceeded) continue;
    await giveBack();
    const whose = count.name.startsWith('redemptions:person:')
      ? 'with your account'
      : 'from your network';
    throw new AppError(
      'RATE_LIMITED',
      `Several workspaces were created ${whose} just now. Please try again in ${Math.ceil(retryAfterSeconds / 60)} min.`,
    );
  }
  return giveBack;
}
