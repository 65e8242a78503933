import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const lower = `mutation ($id: ID!, $limit: Int) {
  setApiKeyLimit(input: { id: $id, limitPerMinute: $limit }) { apiKey { limitPerMinute limitPerMinuteMax } } }`;
const raise =
  'mutation ($id: ID!, $max: Int) { setApiKeyLimitMax(input: { id: $id, limitPerMinuteMax: $max }) { limitPerMinuteMax } }';

let app: TestApp;
let server: ServedApp;
let support: TestSession;

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100', USER_KEY_LIMIT: '600' });
  server = await serveApp(app);
  const home = await app.organization({ features: [] });
  const { id } = await home.member('support@key-limits.example');
  await setPlatformSupport({ email: 'support@key-limits.example', isPlatformSupport: true }, app);
  support = await signIn(app, id);
  await giveSecondFactor(app, id);
});
afterAll(async () => {
  server.close();
  await app.close();
});

/** An organization, its administrator, and the limit of its key that the server reports. */
async function organizationWithKey() {
  const owner = await app.organization();
  const admin = await signIn(app, owner.administratorId);
  const readLimit = async () => {
    const answer = await fetch(`${server.url}/api/user-management/v1/teams`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    return { status: answer.status, limit: answer.headers.get('x-ratelimit-limit') };
  };
  return { owner, admin, id: owner.keyId, readLimit };
}
const entriesOf = ({ id }: TestOrganization, action: string) =>
  app.database.prisma.auditEntry.findMany({
    where: { organizationId: id, action },
    orderBy: { id: 'asc' },
  });

describe('an administrator who sets a limit', () => {
  it('A lower limit takes effect at once, is in the audit log, and can be removed', async () => {
    const { owner, admin, id, readLimit } = await organizationWithKey();
    expect(await readLimit()).toEqual({ status: 200, limit: '100' });
    expect((await admin.graph(lower, { id, limit: 3 })).data).toEqual({
      setApiKeyLimit: { apiKey: { limitPerMinute: 3, limitPerMinuteMax: 100 } },
    });
    const answers = [await readLimit(), await readLimit(), await readLimit()];
    expect(answers).toEqual([
      { status: 200, limit: '3' },
      { status: 200, limit: '3' },
      { status: 429, limit: '3' },
    ]);
    expect((await admin.graph(lower, { id, limit: null })).data).toEqual({
      setApiKeyLimit: { apiKey: { limitPerMinute: null, limitPerMinuteMax: 100 } },
    });
    expect(await readLimit()).toEqual({ status: 200, limit: '100' });
    expect(await entriesOf(owner, 'set-api-key-limit')).toMatchObject([
      {
        actorKind: 'SESSION',
        actorUserId: owner.administratorId,
        targetType: 'ApiKey',
        targetId: id,
        changes: { before: null, limitPerMinute: 3 },
      },
      { changes: { before: 3, limitPerMinute: null } },
    ]);
  });

  it('A limit above the setting for the kind of key is rejected, and an unchanged limit writes nothing', async () => {
    const { owner, admin, id, readLimit } = await organizationWithKey();
    const refused = await admin.graph(lower, { id, limit: 101 });
    expect(refused).toMatchObject({
      code: 'FORBIDDEN',
      errors: [
        { message: expect.stringContaining('limitPerMinute must be at most 100 for this key') },
      ],
    });
    expect(await readLimit()).toEqual({ status: 200, limit: '100' });
    for (const limit of [100, 100])
      expect((await admin.graph(lower, { id, limit })).errors).toEqual([]);
    expect(await entriesOf(owner, 'set-api-key-limit')).toHaveLength(1);
  });

  it('An administrator can set the limit of a user key up to the setting for user keys', async () => {
    const { owner, admin } = await organizationWithKey();
    const { id, key } = await owner.userKey((await owner.member('limited@key-limits.example')).id);
    expect((await admin.graph(lower, { id, limit: 601 })).code).toBe('FORBIDDEN');
    expect((await admin.graph(lower, { id, limit: 7 })).errors).toEqual([]);
    const answer = await fetch(`${server.url}/api/assistants/v1/`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
  });

  it.each([0, -1, 1.5, 'The limit %j is rejected', 2 ** 31])(
    'is refused the limit %j',
    async (limit) => {
      const { admin, id } = await organizationWithKey();
      expect((await admin.graph(lower, { id, limit })).code).toBe('BAD_INPUT');
    },
  );

  it('The limit of a revoked key is rejected, and a key of another organization is not found', async () => {
    const { admin, id } = await organizationWithKey();
    const other = await organizationWithKey();
    const [foreign, unknown] = [
      await admin.graph(lower, { id: other.id, limit: 5 }),
      await admin.graph(lower, { id: 'nothing', limit: 5 }),
    ];
    expect([foreign.code, foreign.errors[0]?.message]).toEqual(['NOT_FOUND', 'API key not found']);
    expect([unknown.code, unknown.errors[0]?.message]).toEqual(['NOT_FOUND', 'API key not found']);
    expect(await other.readLimit()).toMatchObject({ limit: '100' });
    await app.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    expect((await admin.graph(lower, { id, limit: 5 })).code).toBe('CONFLICT');
  });
});

describe('a viewer without permission', () => {
  it('Members and API keys cannot set a limit, and administrators cannot set the maximum', async () => {
    const { owner, admin, id } = await organizationWithKey();
    const { id: userId } = await owner.member('member@key-limits.example');
    const member = await signIn(app, userId);
    const { key } = await owner.userKey(owner.administratorId);
    for (const query of [lower, raise]) {
      expect((await member.graph(query, { id, limit: 1, max: 1 })).code).toBe('FORBIDDEN');
      for (const apiKey of [owner.key, key])
        expect((await app.graph(apiKey, query, { id })).errors[0]?.extensions?.code).toBe(
          'FORBIDDEN',
        );
      expect(
        (
          await app.request('POST', '/graphql', {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query, variables: { id } }),
          })
        ).text,
      ).toContain('UNAUTHENTICATED');
    }
    expect((await admin.graph(raise, { id, max: 1_000 })).code).toBe('FORBIDDEN');
    expect(await entriesOf(owner, 'set-api-key-limit')).toEqual([]);
  });
});

describe('platform support', () => {
  it('Platform support can raise the maximum, and administrators can set limits up to it', async () => {
    const { owner, admin, id, readLimit } = await organizationWithKey();
    expect((await support.graph(raise, { id, max: 5_000 })).data).toEqual({
      setApiKeyLimitMax: { limitPerMinuteMax: 5_000 },
    });
    expect(await readLimit()).toEqual({ status: 200, limit: '5000' });
    expect((await admin.graph(lower, { id, limit: 5_001 })).code).toBe('FORBIDDEN');
    expect((await admin.graph(lower, { id, limit: 50 })).data).toEqual({
      setApiKeyLimit: { apiKey: { limitPerMinute: 50, limitPerMinuteMax: 5_000 } },
    });
    expect((await admin.graph(lower, { id, limit: 5_000 })).errors).toEqual([]);
    expect(await readLimit()).toEqual({ status: 200, limit: '5000' });
    const [entry, ...others] = await entriesOf(owner, 'set-api-key-limit-max');
    expect(entry).toMatchObject({
      targetId: id,
      changes: { before: null, limitPerMinuteMax: 5_000 },
    });
    expect(others).toEqual([]);
  });

  it('A lower limit of an administrator is kept, and a limit above the new maximum is reduced', async () => {
    const { admin, id, readLimit } = await organizationWithKey();
    await admin.graph(lower, { id, limit: 20 });
    await support.graph(raise, { id, max: 5_000 });
    expect(await readLimit()).toMatchObject({ limit: '20' });
    await admin.graph(lower, { id, limit: 4_000 });
    await support.graph(raise, { id, max: 200 });
    expect(await readLimit()).toMatchObject({ limit: '200' });
    await support.graph(raise, { id, max: null });
    expect(await readLimit()).toMatchObject({ limit: '100' });
  });

  it('A key that does not exist is not found', async () => {
    expect((await support.graph(raise, { id: 'nothing', max: 5 })).code).toBe('NOT_FOUND');
  });
});

it('A changed limit takes effect within one second in another process', async () => {
  const { owner, admin, id } = await organizationWithKey();
  const twin = await app.twin();
  const limitInSecondProcess = async () =>
    (await twin.callerWith(owner.key)('GET', '/api/user-management/v1/teams')).headers.get(
      'x-ratelimit-limit',
    );
  expect(await limitInSecondProcess()).toBe('100');
  await admin.graph(lower, { id, limit: 42 });
  await expect.poll(limitInSecondProcess, { interval: 50 }).toBe('42');
});
