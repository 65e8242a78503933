import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const lower = `mutation ($id: ResourceId!, $limit: RequestLimit) {
  setApiKeyLimit(id: $id, limitPerMinute: $limit) { limitPerMinute limitPerMinuteMax } }`;
const raise =
  'mutation ($id: ResourceId!, $max: RequestLimit) { setApiKeyLimitMax(id: $id, limitPerMinuteMax: $max) { limitPerMinuteMax } }';

let app: TestApp;
let server: Server;
let origin: string;
let support: TestSession;

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100', USER_KEY_LIMIT: '600' });
  server = createServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const home = await app.organization({ features: [] });
  const { id } = await home.member('support@key-limits.example');
  await setPlatformSupport({ email: 'support@key-limits.example', isPlatformSupport: true }, app);
  support = await signIn(app, id);
  await giveSecondFactor(app, id);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
});

/**
 * An organization, its administrator, and how many requests its key may send as the server tells
 * it.
 */
async function keyed() {
  const owner = await app.organization();
  const admin = await signIn(app, owner.administratorId);
  const told = async () => {
    const answer = await fetch(`${origin}/api/user-management/v1/teams`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    return { status: answer.status, limit: answer.headers.get('x-ratelimit-limit') };
  };
  return { owner, admin, id: owner.keyId, told };
}
const entriesOf = ({ id }: TestOrganization, action: string) =>
  app.database.prisma.auditEntry.findMany({
    where: { organizationId: id, action },
    orderBy: { id: 'asc' },
  });

describe('an administrator', () => {
  it('D10: gives a key fewer requests a minute, which holds at once, stands in the audit log, and can be taken back', async () => {
    const { owner, admin, id, told } = await keyed();
    expect(await told()).toEqual({ status: 200, limit: '100' });
    expect((await admin.graph(lower, { id, limit: 3 })).data).toEqual({
      setApiKeyLimit: { limitPerMinute: 3, limitPerMinuteMax: 100 },
    });
    const answers = [await told(), await told(), await told()];
    expect(answers).toEqual([
      { status: 200, limit: '3' },
      { status: 200, limit: '3' },
      { status: 429, limit: '3' },
    ]);
    expect((await admin.graph(lower, { id, limit: null })).data).toEqual({
      setApiKeyLimit: { limitPerMinute: null, limitPerMinuteMax: 100 },
    });
    expect(await told()).toEqual({ status: 200, limit: '100' });
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

  it('cannot go above the setting for the kind of key, and writes nothing where nothing changes', async () => {
    const { owner, admin, id, told } = await keyed();
    const refused = await admin.graph(lower, { id, limit: 101 });
    expect(refused).toMatchObject({
      code: 'FORBIDDEN',
      errors: [
        { message: expect.stringContaining('limitPerMinute must be at most 100 for this key') },
      ],
    });
    expect(await told()).toEqual({ status: 200, limit: '100' });
    for (const limit of [100, 100])
      expect((await admin.graph(lower, { id, limit })).errors).toEqual([]);
    expect(await entriesOf(owner, 'set-api-key-limit')).toHaveLength(1);
  });

  it('sets the limit of a key of a person as well, up to the setting for those', async () => {
    const { owner, admin } = await keyed();
    const { id, key } = await owner.userKey((await owner.member('limited@key-limits.example')).id);
    expect((await admin.graph(lower, { id, limit: 601 })).code).toBe('FORBIDDEN');
    expect((await admin.graph(lower, { id, limit: 7 })).errors).toEqual([]);
    const answer = await fetch(`${origin}/api/assistants/v1/`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
  });

  it.each([0, -1, 1.5, '5', 2 ** 31])('is refused the limit %j', async (limit) => {
    const { admin, id } = await keyed();
    expect((await admin.graph(lower, { id, limit })).code).toBe('BAD_INPUT');
  });

  it('cannot set the limit of a revoked key, and a key of another organization is as unknown as none', async () => {
    const { admin, id } = await keyed();
    const other = await keyed();
    const [foreign, unknown] = [
      await admin.graph(lower, { id: other.id, limit: 5 }),
      await admin.graph(lower, { id: 'nothing', limit: 5 }),
    ];
    expect([foreign.code, foreign.errors[0]?.message]).toEqual(['NOT_FOUND', 'API key not found']);
    expect([unknown.code, unknown.errors[0]?.message]).toEqual(['NOT_FOUND', 'API key not found']);
    expect(await other.told()).toMatchObject({ limit: '100' });
    await app.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    expect((await admin.graph(lower, { id, limit: 5 })).code).toBe('CONFLICT');
  });
});

describe('nobody else', () => {
  it('sets a limit: no member, no key, and no administrator the most', async () => {
    const { owner, admin, id } = await keyed();
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
  it('allows a key more than the setting; administrators go up to that and not beyond', async () => {
    const { owner, admin, id, told } = await keyed();
    expect((await support.graph(raise, { id, max: 5_000 })).data).toEqual({
      setApiKeyLimitMax: { limitPerMinuteMax: 5_000 },
    });
    expect(await told()).toEqual({ status: 200, limit: '5000' });
    expect((await admin.graph(lower, { id, limit: 5_001 })).code).toBe('FORBIDDEN');
    expect((await admin.graph(lower, { id, limit: 50 })).data).toEqual({
      setApiKeyLimit: { limitPerMinute: 50, limitPerMinuteMax: 5_000 },
    });
    expect((await admin.graph(lower, { id, limit: 5_000 })).errors).toEqual([]);
    expect(await told()).toEqual({ status: 200, limit: '5000' });
    const [entry, ...others] = await entriesOf(owner, 'set-api-key-limit-max');
    expect(entry).toMatchObject({
      targetId: id,
      changes: { before: null, limitPerMinuteMax: 5_000 },
    });
    expect(others).toEqual([]);
  });

  it('leaves a lower limit that an administrator has set, and one above the new most gives way', async () => {
    const { admin, id, told } = await keyed();
    await admin.graph(lower, { id, limit: 20 });
    await support.graph(raise, { id, max: 5_000 });
    expect(await told()).toMatchObject({ limit: '20' });
    await admin.graph(lower, { id, limit: 4_000 });
    await support.graph(raise, { id, max: 200 });
    expect(await told()).toMatchObject({ limit: '200' });
    await support.graph(raise, { id, max: null });
    expect(await told()).toMatchObject({ limit: '100' });
  });

  it('is told of a key that does not exist', async () => {
    expect((await support.graph(raise, { id: 'nothing', max: 5 })).code).toBe('NOT_FOUND');
  });
});

it('a changed limit holds within a second in another process', async () => {
  const { owner, admin, id } = await keyed();
  const twin = await app.twin();
  const there = async () =>
    (await twin.callerWith(owner.key)('GET', '/api/user-management/v1/teams')).headers.get(
      'x-ratelimit-limit',
    );
  expect(await there()).toBe('100');
  await admin.graph(lower, { id, limit: 42 });
  await expect.poll(there, { interval: 50 }).toBe('42');
});
