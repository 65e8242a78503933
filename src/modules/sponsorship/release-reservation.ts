import type { Database } from '../../platform/database/database.ts';
import { freePlace } from './places.ts';
import { reservationIdOf } from './reservation-token.ts';

/** Gives the place of somebody who turns away to the next one, at once. */
export async function releaseReservation({ reservation }: { reservation: string }, { database }: { database: Database }): Promise<void> {
  await freePlace({ reservationId: reservationIdOf(reservation) }, database.prisma);
}
