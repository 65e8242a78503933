import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from './error-message.ts';

const bytes = 32;

type SecretFileOptions = { directory: string; name: string; whenRemoved: string };

/**
 * Reads the secret from a file in this directory, or generates and saves it. With ':memory:' the
 * secret exists only in this process.
 */
export function readOrCreateSecret({ directory, name, whenRemoved }: SecretFileOptions): string {
  const secret = randomBytes(bytes).toString('base64url');
  if (directory === ':memory:') return secret;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, name);
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return secret;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const existing = readText(file).trim();
  if (existing.length < bytes)
    throw new Error(`${file} holds no secret. Remove it to have a new one made; ${whenRemoved}.`);
  return existing;
}

// The error of reading a directory does not name it.
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(messageOf(error, file), { cause: error });
  }
}
