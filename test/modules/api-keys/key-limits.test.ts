import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_LIMIT: '30' });
});
afterAll(() => app.close());

const createKey =
  'mutation { result: createUserKey(input: { name: "Key" }) { key apiKey { id } } }';
const revokeKey = 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }';

/** A signed-in member of a new organization, whose limit no other test uses. */
async function memberOf(organization: Awaited<ReturnType<TestApp['organization']>>, email: string) {
  return signIn(app, (await organization.member(email)).id);
}

describe('the number of keys per person', () => {
  it('A person has at most twenty active keys, even with concurrent requests', async () => {
    const session = await memberOf(await app.organization(), 'many@keys.example');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => session.graph<{ result: unknown }>(createKey)),
    );
    const rejected = answers.filter(({ data }) => !data);
    expect(rejected).toHaveLength(5);
    expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['CONFLICT']));
    expect(rejected[0]?.errors[0]?.message).toContain('You have 20 active keys here');
  });

  it('A person creates at most twenty keys per hour, including revoked ones', async () => {
    const owner = await app.organization();
    const { id: userId } = await owner.member('hourly@keys.example');
    for (let count = 0; count < 20; count += 1) await owner.userKey(userId);
    await app.database.prisma.apiKey.updateMany({
      where: { userId },
      data: { revokedAt: new Date() },
    });
    const session = await signIn(app, userId);
    expect((await session.graph(createKey)).code).toBe('RATE_LIMITED');
    await app.database.prisma.apiKey.updateMany({
      where: { userId },
      data: { createdAt: new Date(Date.now() - 3_700_000) },
    });
    const { data } = await session.graph<{ result: { apiKey: { id: string } } }>(createKey);
    expect(await session.graph(revokeKey, { id: data?.result.apiKey.id })).toMatchObject({
      errors: [],
    });
  });
});

describe('the limit of requests of an organization', () => {
  it('The limit counts all keys of the organization together, and its window is in the headers only when it rejects a request', async () => {
    const owner = await app.organization();
    const { id: userId } = await owner.member('busy@keys.example');
    const keys = [
      await owner.userKey(userId),
      await owner.userKey(userId),
      await owner.userKey(owner.administratorId),
    ];
    const answers = [];
    for (const { key } of keys)
      for (let count = 0; count < 11; count += 1)
        answers.push(await app.callerWith(key)('GET', '/api/assistants/v1/'));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(30).fill(200),
      ...Array(3).fill(429),
    ]);
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('600');
    expect(answers[32]?.headers.get('x-ratelimit-limit')).toBe('30');
    expect(answers[32]?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(answers[32]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await app.organization();
    expect((await other.manage('GET', '/teams')).status).toBe(200);
  });

  it('The limit of the organization rises with the higher limit of one of its keys', async () => {
    const owner = await app.organization();
    await app.database.prisma.apiKey.update({
      where: { id: owner.keyId },
      data: { limitPerMinute: 40 },
    });
    for (let count = 0; count < 35; count += 1)
      expect((await owner.manage('GET', '/teams')).status).toBe(200);
  });
});
