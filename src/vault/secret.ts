import { timingSafeEqual } from 'node:crypto';
import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import { hashName } from '../platform/hash.ts';
import { readOrCreateSecret } from '../platform/secret-file.ts';

/**
 * Refuses whoever does not show the secret. Hashes are compared, so that neither its length nor its
 * beginning shows in the time.
 */
export function requireSecret(request: Request, secret: string): void {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!timingSafeEqual(hashed(given), hashOnce(secret)))
    throw new AppError('UNAUTHENTICATED', 'Invalid or missing vault secret');
}

/** A process has one secret or two, and asks for them with every call. */
const hashes = new Map<string, Buffer>();

function hashOnce(secret: string): Buffer {
  const hash = hashes.get(secret) ?? hashed(secret);
  hashes.set(secret, hash);
  return hash;
}

// By way of a text: its small buffer comes out of a pool, while a hash as a buffer is made outside
// the heap, which is dear.
const hashed = (text: string): Buffer => Buffer.from(hashName(text));

/**
 * The secret for the one process that runs every part: the setting, else one that is made once and
 * kept in DATA_DIR.
 */
export const keptVaultSecret = ({
  VAULT_SECRET,
  DATA_DIR,
}: Pick<Env, 'VAULT_SECRET' | 'DATA_DIR'>): string =>
  VAULT_SECRET ??
  readOrCreateSecret({
    directory: DATA_DIR,
    name: 'vault-secret',
    whenRemoved: 'nothing else changes',
  });
