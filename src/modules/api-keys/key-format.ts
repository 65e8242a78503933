import { crc32 } from 'node:zlib';
import { base62, randomBase62 } from '../../platform/base62.ts';
import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';

const prefixes = { USER: 'sk_svc_', ORGANIZATION: 'sk_svc_um_' } as const satisfies Record<
  ApiKeyKind,
  string
>;
const keyForm = /^(sk_svc_(?:um_)?)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type GeneratedKey = {
  key: string;
  hash: Uint8Array<ArrayBuffer>;
  prefix: string;
  lastFour: string;
};

export function generateKey(kind: ApiKeyKind): GeneratedKey {
  const prefix = prefixes[kind];
  const random = randomBase62(32);
  const key = prefix + random + checksum(prefix + random);
  return { key, hash: hashText(key), prefix, lastFour: key.slice(-4) };
}

/**
 * Whether the text has the form and the checksum of a key. Mistyped keys are rejected without a
 * database query.
 */
export function isWellFormedKey(text: string): boolean {
  const [, prefix, random, sum] = keyForm.exec(text) ?? [];
  return prefix !== undefined && random !== undefined && sum === checksum(prefix + random);
}

/** The last six characters of a key: a CRC-32 in base 62 that detects mistyped keys. */
export function checksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let position = 0; position < 6; position += 1) {
    digits = base62.charAt(remainder % 62) + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}
