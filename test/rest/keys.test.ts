import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { everyCall } from '../support/calls.ts';
import { refusalBody } from '../support/refusal-body.ts';

let app: TestApp;
let now = new Date();
let owner: TestOrganization;
let keys: Record<'ORGANIZATION_KEY' | 'USER_KEY', Record<string, string>>;

beforeAll(async () => {
  app = await testApp(
    { ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' },
    { clock: () => now },
  );
  owner = await app.organization();
  const member = await owner.member('member@keys.example');
  const past = new Date(now.getTime() - 1);
  const organizationKey = () => owner.organizationKey();
  const userKey = () => owner.userKey(member.id);
  keys = {
    ORGANIZATION_KEY: await invalidKeys(
      organizationKey,
      (await owner.organizationKey({ expiresAt: past })).key,
      (await userKey()).key,
      'ORGANIZATION',
    ),
    USER_KEY: await invalidKeys(
      userKey,
      (await owner.userKey(member.id, { expiresAt: past })).key,
      (await organizationKey()).key,
      'USER',
    ),
  };
});
afterAll(() => app.close());

async function invalidKeys(
  make: () => Promise<{ id: string; key: string }>,
  expired: string,
  otherKind: string,
  kind: 'ORGANIZATION' | 'USER',
) {
  const [revoked, { key }] = [await make(), await make()];
  await app.database.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: now } });
  const [prefix, otherPrefix] =
    kind === 'USER' ? ['sk_svc_', 'sk_svc_um_'] : ['sk_svc_um_', 'sk_svc_'];
  return {
    'a revoked key': revoked.key,
    'an expired key': expired,
    'a key of the other kind': otherKind,
    'a key that does not exist': generateKey(kind).key,
    'a key with a wrong checksum': key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
    'a key that is cut off': key.slice(0, -1),
    'a key under the other prefix': key.replace(prefix, otherPrefix),
    'no key after the scheme': '',
    'a key with a NUL byte': `${key}%00`,
    'a very long key': `${prefix}${'x'.repeat(7000)}`,
  };
}

const knownReasons = {
  'a revoked key': 'This API key has been revoked',
  'an expired key': expect.stringMatching(/^This API key expired at 20\d\d-.+Z$/),
};
const reasons: Record<'ORGANIZATION_KEY' | 'USER_KEY', Record<string, unknown>> = {
  ORGANIZATION_KEY: {
    ...knownReasons,
    'a key of the other kind': 'This is a user key; this call takes an organization key',
  },
  USER_KEY: {
    ...knownReasons,
    'a key of the other kind': 'This is an organization key; this call takes a user key',
  },
};

describe.each(everyCall)('$title', ({ method, path, takesBody, key: kind }) => {
  const body = takesBody ? {} : undefined;

  it('A request without a key answers 401, even if the body is invalid too', async () => {
    const answer = await app.request(
      method,
      path,
      takesBody ? { headers: { 'content-type': 'text/plain' }, body: 'not json' } : {},
    );
    expect(answer).toMatchObject({
      status: 401,
      body: { status: 'error', message: 'Invalid or missing API key' },
    });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('Every invalid key answers 401 and writes nothing; only the message for a real key has a reason', async () => {
    const before = await app.database.prisma.auditEntry.count();
    for (const [fault, key] of Object.entries(keys[kind])) {
      const answer = await app.callerWith(key)(method, path, body);
      expect({ fault, status: answer.status, body: answer.body }).toEqual({
        fault,
        status: 401,
        body: refusalBody('UNAUTHENTICATED', reasons[kind][fault] ?? 'Invalid or missing API key'),
      });
    }
    for (const authorization of [
      owner.key,
      `Basic ${owner.key}`,
      `Bearer ${owner.key} ${owner.key}`,
      `Token ${owner.key}`,
    ]) {
      expect((await app.request(method, path, { headers: { authorization } })).status).toBe(401);
    }
    expect(await app.database.prisma.auditEntry.count()).toBe(before);
  });
});

describe.each(everyCall.filter(({ needsFeature }) => needsFeature))(
  '$title',
  ({ method, path, takesBody, key: kind }) => {
    const body = takesBody ? {} : undefined;

    it('Without the feature the answer is 403, before input and ids are validated', async () => {
      const plain = await app.organization({ features: [] });
      const answers = [
        await plain.callWith(kind, method, path, body),
        await plain.callWith(kind, method, path, takesBody ? '{' : undefined, {
          'content-type': 'text/plain',
        }),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 403,
          body: { status: 'error', message: expect.stringContaining('not enabled') },
        });
        expect(answer.headers.get('x-ratelimit-limit')).toBe('100000');
      }
    });
  },
);

describe('the lifetime of a key', () => {
  const open = async (key: string) =>
    (await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status;

  it('A key is rejected from the moment it expires, even if it was just used', async () => {
    const { key } = await owner.organizationKey({ expiresAt: new Date(now.getTime() + 500) });
    expect(await open(key)).toBe(200);
    now = new Date(now.getTime() + 500);
    expect(await open(key)).toBe(401);
  });

  it('A key that is revoked in another process is rejected within one second', async () => {
    const { id, key } = await owner.organizationKey();
    expect(await open(key)).toBe(200);
    await app.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: now } });
    now = new Date(now.getTime() + 1_000);
    expect(await open(key)).toBe(401);
  });

  it('The last use of a key is stored about once per minute', async () => {
    const { id, key } = await owner.organizationKey();
    const lastUsed = async () =>
      (await app.database.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
    const first = now.getTime();
    await open(key);
    await expect.poll(lastUsed).toBe(first);
    now = new Date(first + 30_000);
    await open(key);
    now = new Date(first + 61_000);
    await open(key);
    await expect.poll(lastUsed).toBe(first + 61_000);
  });

  it('The scheme Bearer is case-insensitive', async () => {
    const answer = await app.request('GET', '/api/user-management/v1/teams', {
      headers: { authorization: `bearer ${owner.key}` },
    });
    expect(answer.status).toBe(200);
  });

  it('No log line contains the key', async () => {
    expect(app.logLines.length).toBeGreaterThan(0);
    expect(app.logLines.join('')).not.toMatch(/sk_svc_\w/);
  });
});
