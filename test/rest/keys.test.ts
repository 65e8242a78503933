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
    ORGANIZATION_KEY: await thatOpenNothing(
      organizationKey,
      (await owner.organizationKey({ expiresAt: past })).key,
      (await userKey()).key,
      'ORGANIZATION',
    ),
    USER_KEY: await thatOpenNothing(
      userKey,
      (await owner.userKey(member.id, { expiresAt: past })).key,
      (await organizationKey()).key,
      'USER',
    ),
  };
});
afterAll(() => app.close());

async function thatOpenNothing(
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
    'a key that nobody made': generateKey(kind).key,
    'a key with a wrong checksum': key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
    'a key that is cut off': key.slice(0, -1),
    'a key under the other prefix': key.replace(prefix, otherPrefix),
    'no key after the scheme': '',
    'a key with a NUL byte': `${key}%00`,
    'a very long key': `${prefix}${'x'.repeat(7000)}`,
  };
}

const known = {
  'a revoked key': 'This API key has been revoked',
  'an expired key': expect.stringMatching(/^This API key expired at 20\d\d-.+Z$/),
};
const reasons: Record<'ORGANIZATION_KEY' | 'USER_KEY', Record<string, unknown>> = {
  ORGANIZATION_KEY: {
    ...known,
    'a key of the other kind': 'This is a user key; this call takes an organization key',
  },
  USER_KEY: {
    ...known,
    'a key of the other kind': 'This is an organization key; this call takes a user key',
  },
};

describe.each(everyCall)('$title', ({ method, path, takesBody, key: kind }) => {
  const body = takesBody ? {} : undefined;

  it('D2: without a key is 401, whatever else is wrong', async () => {
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

  it('D4, D42: every key that opens nothing is 401 and stores nothing; only a real key learns why', async () => {
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

    it('D2: without the feature is 403, before input and before ids are looked at', async () => {
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

describe('a key', () => {
  const open = async (key: string) =>
    (await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status;

  it('D12: opens nothing from the moment it expires, also when it was just used', async () => {
    const { key } = await owner.organizationKey({ expiresAt: new Date(now.getTime() + 500) });
    expect(await open(key)).toBe(200);
    now = new Date(now.getTime() + 500);
    expect(await open(key)).toBe(401);
  });

  it('D12: that somebody revokes elsewhere opens nothing a second later', async () => {
    const { id, key } = await owner.organizationKey();
    expect(await open(key)).toBe(200);
    await app.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: now } });
    now = new Date(now.getTime() + 1_000);
    expect(await open(key)).toBe(401);
  });

  it('D12: notes when it was last used, about once a minute', async () => {
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

  it('the scheme is Bearer in any case', async () => {
    const answer = await app.request('GET', '/api/user-management/v1/teams', {
      headers: { authorization: `bearer ${owner.key}` },
    });
    expect(answer.status).toBe(200);
  });

  it('stands in no log line', async () => {
    expect(app.logLines.length).toBeGreaterThan(0);
    expect(app.logLines.join('')).not.toMatch(/sk_svc_\w/);
  });
});
