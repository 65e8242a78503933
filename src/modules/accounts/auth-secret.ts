import type { Env } from '../../platform/env.ts';
import { readOrCreateSecret } from '../../platform/secret-file.ts';

type SecretSettings = Pick<Env, 'AUTH_SECRET' | 'DATA_DIR' | 'DATABASE_URL' | 'NODE_ENV'>;

export const authSecretName = 'auth-secret';

/** What signs session cookies: the setting, else one that is made once and kept in DATA_DIR. */
export function readAuthSecret({
  AUTH_SECRET,
  DATA_DIR,
  DATABASE_URL,
  NODE_ENV,
}: SecretSettings): string {
  if (AUTH_SECRET !== undefined) return AUTH_SECRET;
  // Several processes on one database must agree, and a directory of their own is nothing that they
  // share.
  if (NODE_ENV === 'production' && DATABASE_URL !== undefined) {
    throw new Error(
      'AUTH_SECRET must be set when NODE_ENV is production and DATABASE_URL is given: at least 32 random characters, the same for every process',
    );
  }
  return readOrCreateSecret({
    directory: DATA_DIR,
    name: authSecretName,
    whenRemoved: 'everybody then signs in again',
  });
}
