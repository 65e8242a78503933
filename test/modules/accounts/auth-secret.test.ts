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

describe('the secret that signs session cookies', () => {
  it('The secret is the setting AUTH_SECRET if it is given', () => {
    expect(secret({ AUTH_SECRET: 'x'.repeat(32) })).toBe('x'.repeat(32));
  });

  it('Without the setting the secret is created once in a file that only its owner can read', () => {
    const created = secret();
    expect(created).toMatch(/^[\w-]{43}$/);
    expect(secret()).toBe(created);
    expect(readFileSync(join(directory, 'auth-secret'), 'utf8').trim()).toBe(created);
    expect(statSync(join(directory, 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it('The secret is also created in production if the database is embedded', () => {
    expect(secret({ NODE_ENV: 'production' })).toMatch(/^[\w-]{43}$/);
  });

  it('A production start with a Postgres database fails without AUTH_SECRET, because several processes must agree', () => {
    expect(() =>
      secret({ NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/atrium' }),
    ).toThrow(/AUTH_SECRET must be set/);
  });

  it('A truncated secret file is rejected', () => {
    secret();
    writeFileSync(join(directory, 'auth-secret'), 'short');
    expect(() => secret()).toThrow(/auth-secret holds no secret/);
  });
});
