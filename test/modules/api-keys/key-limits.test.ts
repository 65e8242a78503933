import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_LIMIT: '30' });
});
afterAll(() => app.close());

const createKey = 'mutation { result: createUserKey(name: "Key") { key apiKey { id } } }';
const revokeKey = 'mutation ($id: ResourceId!) { revokeApiKey(id: $id) { id } }';

/** A member who is signed in, with a limit of the organization that nothing else uses. */
async function memberOf(organization: Awaited<ReturnType<TestApp['organization']>>, email: string) {
  return signIn(app, (await organization.member(email)).id);
}

describe('keys of one person', () => {
  it('are at most twenty that are active, however many are asked for at once', async () => {
    const session = await memberOf(await app.organization(), 'many@keys.example');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => session.graph<{ result: unknown }>(createKey)),
    );
    const refused = answers.filter(({ data }) => !data);
    expect(refused).toHaveLength(5);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CONFLICT']));
    expect(refused[0]?.errors[0]?.message).toContain('You have 20 active keys here');
  });

  it('are at most twenty that were created within an hour, those that were revoked included', async () => {
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

describe('the limit of an organization', () => {
  it('counts all its keys together, and shows its own window only where it refuses', async () => {
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

  it('does not stop a key that was given more', async () => {
    const owner = await app.organization();
    await app.database.prisma.apiKey.update({
      where: { id: owner.keyId },
      data: { limitPerMinute: 40 },
    });
    for (let count = 0; count < 35; count += 1)
      expect((await owner.manage('GET', '/teams')).status).toBe(200);
  });
});
