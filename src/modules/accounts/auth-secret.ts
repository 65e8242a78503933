import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../platform/env.ts';

const bytes = 32;

type SecretSettings = Pick<Env, 'AUTH_SECRET' | 'DATA_DIR' | 'DATABASE_URL' | 'NODE_ENV'>;

/** What signs session cookies: the setting, else one that is made once and kept in DATA_DIR. */
export function readAuthSecret({ AUTH_SECRET, DATA_DIR, DATABASE_URL, NODE_ENV }: SecretSettings): string {
  if (AUTH_SECRET !== undefined) return AUTH_SECRET;
  // Several processes on one database must agree, and a directory of their own is nothing that they share.
  if (NODE_ENV === 'production' && DATABASE_URL !== undefined) {
    throw new Error('AUTH_SECRET must be set when NODE_ENV is production and DATABASE_URL is given: at least 32 random characters, the same for every process');
  }
  const made = randomBytes(bytes).toString('base64url');
  return DATA_DIR === ':memory:' ? made : keep(made, DATA_DIR);
}

function keep(made: string, directory: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'auth-secret');
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length < bytes) throw new Error(`${file} holds no secret. Remove it to have a new one made; everybody then signs in again.`);
  return kept;
}
