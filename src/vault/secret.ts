import { timingSafeEqual } from 'node:crypto';
import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import { hashName } from '../platform/hash.ts';
import { readOrCreateSecret } from '../platform/secret-file.ts';
import { type VaultAccess, verifySignature } from './signature.ts';

/**
 * Rejects requests that neither are signed with the secret nor show it. Atrium's own calls are
 * signed; people and monitoring systems send the secret itself. Hashes are compared in constant
 * time, so that timing reveals neither the length of the secret nor its first characters.
 */
export function requireSecret(request: Request, access: VaultAccess): void {
  if (verifySignature(request, access)) return;
  const [, shownSecret = ''] =
    /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!timingSafeEqual(hashOf(shownSecret), hashOnce(access.secret)))
    throw new AppError('UNAUTHENTICATED', 'Invalid or missing vault secret');
}

/** Cached, because every call needs the hash; a process has at most two secrets. */
const hashes = new Map<string, Buffer>();

function hashOnce(secret: string): Buffer {
  const hash = hashes.get(secret) ?? hashOf(secret);
  hashes.set(secret, hash);
  return hash;
}

// The hash is computed as a string: the small buffer of a string comes from Node's pool, while a
// digest as a buffer is allocated outside the heap, which is slower.
const hashOf = (text: string): Buffer => Buffer.from(hashName(text));

/**
 * The secret for a process that runs all services: VAULT_SECRET, or a random one that the first
 * start creates and stores in DATA_DIR.
 */
export const readOrCreateVaultSecret = ({
  VAULT_SECRET,
  DATA_DIR,
}: Pick<Env, 'VAULT_SECRET' | 'DATA_DIR'>): string =>
  VAULT_SECRET ??
  readOrCreateSecret({
    directory: DATA_DIR,
    name: 'vault-secret',
    whenRemoved: 'nothing else changes',
  });
