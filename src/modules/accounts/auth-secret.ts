import type { Env } from '../../platform/env.ts';
import { readOrCreateSecret } from '../../platform/secret-file.ts';

type AuthSecretSettings = Pick<Env, 'AUTH_SECRET' | 'DATA_DIR' | 'DATABASE_URL' | 'NODE_ENV'>;

export const authSecretName = 'auth-secret';

/**
 * The secret that signs session cookies: the setting, or a secret that is created once and stored
 * in DATA_DIR.
 */
export function readAuthSecret({
  AUTH_SECRET,
  DATA_DIR,
  DATABASE_URL,
  NODE_ENV,
}: AuthSecretSettings): string {
  if (AUTH_SECRET !== undefined) return AUTH_SECRET;
  // Several processes on one database must use the same secret, and they do not share a data
  // directory.
  if (NODE_ENV === 'production' && DATABASE_URL !== undefined) {
    throw new Error(
      'AUTH_SECRET must be set when NODE_ENV is production and DATABASE_URL is given: at least 32 random characters, the same for every process',
    );
  }
  return readOrCreateSecret({
    directory: DATA_DIR,
    name: authSecretName,
    whenRemoved:
      'everybody then signs in again, and authenticator apps, webhooks and receipts need new secrets',
  });
}
