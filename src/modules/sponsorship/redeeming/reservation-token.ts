import { hash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits that only the browser of the person who reserved has. */
export const newReservationToken = (): string => randomBytes(32).toString('base64url');

/**
 * The id that the database stores: a hash, so that nobody can use the reservation with it alone.
 */
export const reservationIdOf = (token: string): string => hash('sha256', token, 'base64url');
