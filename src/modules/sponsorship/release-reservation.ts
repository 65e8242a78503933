import type { Database } from '../../platform/database/database.ts';
import { releaseCapacity } from './capacity.ts';
import { reservationIdOf } from './reservation-token.ts';

/**
 * Gives the place of somebody who turns away to the next one, at once. False where it was none any
 * more.
 */
export async function releaseReservation(
  { reservation }: { reservation: string },
  { database }: { database: Database },
): Promise<boolean> {
  return releaseCapacity({ reservationId: reservationIdOf(reservation) }, database.prisma);
}
