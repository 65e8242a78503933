import { hash } from 'node:crypto';

/** SHA-256 of a text. */
export const hashText = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'));

/** SHA-256 of a text in base64, for use as a map key or file name. */
export const hashName = (text: string): string => hash('sha256', text, 'base64');
