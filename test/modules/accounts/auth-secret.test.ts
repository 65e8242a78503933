import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readAuthSecret } from '../../../src/modules/accounts/auth-secret.ts';
import { readEnv } from '../../../src/platform/env.ts';

const folder = mkdtempSync(join(tmpdir(), 'atrium-'));
const directory = join(folder, 'data');
const secret = (settings: Record<string, string> = {}) =>
  readAuthSecret(readEnv({ DATA_DIR: directory, ...settings }));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the secret of sessions', () => {
  it('is the setting, where it is given', () => {
    expect(secret({ AUTH_SECRET: 'x'.repeat(32) })).toBe('x'.repeat(32));
  });

  it('is otherwise made once and kept where only the owner can read it', () => {
    const made = secret();
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(secret()).toBe(made);
    expect(readFileSync(join(directory, 'auth-secret'), 'utf8').trim()).toBe(made);
    expect(statSync(join(directory, 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it('is made in production too, on the embedded database', () => {
    expect(secret({ NODE_ENV: 'production' })).toMatch(/^[\w-]{43}$/);
  });

  it('must be given in production on a Postgres, where several processes have to agree', () => {
    expect(() =>
      secret({ NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/atrium' }),
    ).toThrow(/AUTH_SECRET must be set/);
  });

  it('is not read from a file that was cut off', () => {
    secret();
    writeFileSync(join(directory, 'auth-secret'), 'short');
    expect(() => secret()).toThrow(/auth-secret holds no secret/);
  });
});
