import { hash, randomBytes } from 'node:crypto';

/** 256 random bits; only the person who reserved has them. */
export const newReservationToken = (): string => randomBytes(32).toString('base64url');

/** What is stored and shown to the partner: with it alone nobody can use the place. */
export const reservationIdOf = (token: string): string => hash('sha256', token, 'base64url');
