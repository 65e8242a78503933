import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes = { USER: 'sk_svc_', ORGANIZATION: 'sk_svc_um_' } as const satisfies Record<ApiKeyKind, string>;
const form = /^(sk_svc_(?:um_)?)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type NewKey = { key: string; hash: Uint8Array<ArrayBuffer>; prefix: string; lastFour: string };

/** 32 random characters of 62 carry 190 bits. */
export function generateKey(kind: ApiKeyKind): NewKey {
  const prefix = prefixes[kind];
  const random = Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  const key = prefix + random + checksum(prefix + random);
  return { key, hash: hashText(key), prefix, lastFour: key.slice(-4) };
}

/** Whether the text can be a key at all; a mistyped one is told without asking the database. */
export function isWellFormedKey(text: string): boolean {
  const [, prefix, random, sum] = form.exec(text) ?? [];
  return prefix !== undefined && random !== undefined && sum === checksum(prefix + random);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
