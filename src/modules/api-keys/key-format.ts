import { crc32 } from 'node:zlib';
import { base62, randomBase62 } from '../../platform/base62.ts';
import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';

const prefixes = { USER: 'sk_svc_', ORGANIZATION: 'sk_svc_um_' } as const satisfies Record<
  ApiKeyKind,
  string
>;
const form = /^(sk_svc_(?:um_)?)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type NewKey = {
  key: string;
  hash: Uint8Array<ArrayBuffer>;
  prefix: string;
  lastFour: string;
};

export function generateKey(kind: ApiKeyKind): NewKey {
  const prefix = prefixes[kind];
  const random = randomBase62(32);
  const key = prefix + random + checksum(prefix + random);
  return { key, hash: hashText(key), prefix, lastFour: key.slice(-4) };
}

/** Whether the text can be a key at all; a mistyped one is told without asking the database. */
export function isWellFormedKey(text: string): boolean {
  const [, prefix, random, sum] = form.exec(text) ?? [];
  return prefix !== undefined && random !== undefined && sum === checksum(prefix + random);
}

/** The end of a key, by which a mistyped one is told. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place += 1) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
