import type { Database } from '../../../platform/database/database.ts';
import { releaseCapacity } from './capacity.ts';
import { reservationIdOf } from './reservation-token.ts';

/**
 * Releases the reservation of a visitor who cancels, so that its capacity is free at once. Returns
 * false if it no longer exists.
 */
export async function releaseReservation(
  { reservation }: { reservation: string },
  { database }: { database: Database },
): Promise<boolean> {
  return releaseCapacity({ reservationId: reservationIdOf(reservation) }, database);
}
