import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const bytes = 32;

type Keeping = { directory: string; name: string; whenRemoved: string };

/**
 * A secret that is made once and kept in a file of this directory; one for this process alone where
 * the directory is ':memory:'.
 */
export function readOrCreateSecret({ directory, name, whenRemoved }: Keeping): string {
  const made = randomBytes(bytes).toString('base64url');
  if (directory === ':memory:') return made;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, name);
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length < bytes)
    throw new Error(`${file} holds no secret. Remove it to have a new one made; ${whenRemoved}.`);
  return kept;
}
