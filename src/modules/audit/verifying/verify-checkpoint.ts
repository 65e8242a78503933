import { isDeepStrictEqual } from 'node:util';
import { type PublicJwk, readSignedText } from '../../runs/receipts/signed-text.ts';
import type { Checkpoint } from '../sealing/checkpoint.ts';
import { parseObject } from './parse-line.ts';

export type PublicKeys = ReadonlyMap<string, PublicJwk>;

/** Checks the signature of a checkpoint. Returns what is wrong with it; null if it is valid. */
export function faultOfCheckpoint({ jws, ...fields }: Checkpoint, keys: PublicKeys): string | null {
  // Different texts can stand for the same bytes in base64url; only one is what was signed.
  const isCanonical = jws
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  if (!isCanonical) return 'Its signature is not in the form in which Atrium writes it.';
  const signed = readSignedText(jws, (id) => keys.get(id), 'audit-checkpoint');
  if ('fault' in signed) return signed.fault;
  return isDeepStrictEqual(parseObject(signed.text), fields)
    ? null
    : 'Its fields differ from the signed text.';
}
