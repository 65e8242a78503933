import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 32 random characters of 62 carry 190 bits. */
export const newLinkToken = (): string => Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
