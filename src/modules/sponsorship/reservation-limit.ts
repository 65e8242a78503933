import type { Prisma } from '../../platform/database/generated/client.ts';
import { networkOf, wideNetworkOf } from '../../platform/network-of.ts';
import type { ReservationNetwork } from './capacity.ts';

// A class behind one address signs up one after the other: each workspace that is made makes room
// for the next reservation.
const perNetworkMax = 20;
const perWideNetworkMax = 100;

export const reservationNetworkOf = (clientAddress: string | undefined): ReservationNetwork => ({
  network: networkOf(clientAddress),
  wideNetwork: wideNetworkOf(clientAddress),
});

type Wanted = ReservationNetwork & { campaignId: string; heldId: string | null; at: Date };

/**
 * When the network can reserve again; null where it can now. What it has is counted from its
 * reservations themselves, over all campaigns, without the one that is to be renewed. Others of the
 * network wait until the transaction ends, so that many requests at once get no more than one after
 * the other.
 */
export async function networkFullUntil(
  { network, wideNetwork, campaignId, heldId, at }: Wanted,
  tx: Prisma.TransactionClient,
): Promise<Date | null> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`reservations of ${wideNetwork}`}, 0))`;
  const [counted] = await tx.$queryRaw<
    { own: number; wide: number; ownFreeAt: Date | null; freeAt: Date | null }[]
  >`
    select count(*) filter (where network = ${network})::int as own, count(*)::int as wide,
      min(expires_at) filter (where network = ${network}) as "ownFreeAt", min(expires_at) as "freeAt"
    from reservations
    where wide_network = ${wideNetwork} and expires_at > ${at} and (${heldId}::text is null or id <> ${heldId} or campaign_id <> ${campaignId})`;
  if (!counted) return null;
  if (counted.own >= perNetworkMax) return counted.ownFreeAt;
  return counted.wide >= perWideNetworkMax ? counted.freeAt : null;
}
