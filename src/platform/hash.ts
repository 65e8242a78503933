import { hash } from 'node:crypto';

/** SHA-256 of a text. */
export const hashText = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'));

/** The same as a text: a name for what it is the hash of. */
export const hashName = (text: string): string => hash('sha256', text, 'base64');
