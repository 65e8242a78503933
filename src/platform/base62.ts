import { randomInt } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A random secret: 32 base62 characters carry 190 bits. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');
