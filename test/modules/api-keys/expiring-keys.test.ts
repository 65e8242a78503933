import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let us: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '123', USER_KEY_LIMIT: '456' });
  us = await app.organization();
});
afterAll(() => app.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const ask = 'query ($days: DayCount! = 30) { expiringKeys(days: $days) { id } }';
type Keys = { expiringKeys: { id: string }[] };

describe('expiringKeys', () => {
  it('are those in force that end within the days, the first to end first: one’s own and, for an administrator, the organization’s', async () => {
    const { id: memberId } = await us.member('member@us.example');
    const own = await us.userKey(us.administratorId, { expiresAt: inDays(20) });
    const soon = await us.organizationKey({ expiresAt: inDays(3) });
    const members = await us.userKey(memberId, { expiresAt: inDays(5) });
    const revoked = await us.organizationKey({ expiresAt: inDays(4) });
    await app.database.prisma.apiKey.update({
      where: { id: revoked.id },
      data: { revokedAt: new Date() },
    });
    await us.organizationKey({ expiresAt: inDays(-1) });
    await us.organizationKey({ expiresAt: inDays(60) });
    const them = await app.organization();
    await them.organizationKey({ expiresAt: inDays(2) });

    const [administrator, member] = [
      await signIn(app, us.administratorId),
      await signIn(app, memberId),
    ];
    expect((await administrator.graph<Keys>(ask)).data?.expiringKeys).toEqual([
      { id: soon.id },
      { id: own.id },
    ]);
    expect((await administrator.graph<Keys>(ask, { days: 10 })).data?.expiringKeys).toEqual([
      { id: soon.id },
    ]);
    expect((await member.graph<Keys>(ask)).data?.expiringKeys).toEqual([{ id: members.id }]);
  });

  it('are not told to a key', async () => {
    for (const key of [us.key, (await us.userKey(us.administratorId)).key])
      expect((await app.graph(key, ask)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});

describe('rateLimits', () => {
  it('are those that the settings give, told to whoever asks inside an organization', async () => {
    const { data, answer } = await app.graph(us.key, '{ rateLimits { organizationKey userKey } }');
    expect(data).toEqual({ rateLimits: { organizationKey: 123, userKey: 456 } });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('123');
  });
});
