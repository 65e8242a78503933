import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { networkOf, wideNetworkOf } from '../../../platform/network-of.ts';
import type { ReservationNetwork } from './capacity.ts';

// A school class behind one address can still sign up: each completed redemption ends a
// reservation, which makes room for the next one.
const perNetworkMax = 20;
const perWideNetworkMax = 100;

export const reservationNetworkOf = (clientAddress: string | undefined): ReservationNetwork => ({
  network: networkOf(clientAddress),
  wideNetwork: wideNetworkOf(clientAddress),
});

type NetworkReservationRequest = ReservationNetwork & {
  campaignId: string;
  currentReservationId: string | null;
  userId: string | null;
  at: Date;
};

type ReservationCounts = {
  inNetwork: number;
  inWideNetwork: number;
  networkFreeAt: string | null;
  wideNetworkFreeAt: string | null;
};

/**
 * Returns when the network can reserve again; null if it can now. It counts the network's live
 * reservations over all campaigns, except the one that is being renewed. Other requests of the same
 * wide network wait until the transaction ends, so that parallel requests get no more reservations
 * than sequential ones.
 */
export async function networkFullUntil(
  { network, wideNetwork, campaignId, currentReservationId, userId, at }: NetworkReservationRequest,
  tx: Pick<Transaction, 'sql' | 'enqueue'>,
): Promise<Date | null> {
  tx.enqueue`select pg_advisory_xact_lock(hashtextextended(${`reservations of ${wideNetwork}`}, 0))`;
  const [counts] = await tx.sql<ReservationCounts>`
    select count(*) filter (where network = ${network})::int as "inNetwork", count(*)::int as "inWideNetwork",
      min(expires_at) filter (where network = ${network}) as "networkFreeAt", min(expires_at) as "wideNetworkFreeAt"
    from reservations
    where wide_network = ${wideNetwork} and expires_at > ${at}
      and (campaign_id <> ${campaignId} or (id is distinct from ${currentReservationId} and (user_id is null or user_id is distinct from ${userId})))`;
  if (!counts) return null;
  if (counts.inNetwork >= perNetworkMax) return dateOf(counts.networkFreeAt);
  return counts.inWideNetwork >= perWideNetworkMax ? dateOf(counts.wideNetworkFreeAt) : null;
}

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));
