import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '123', USER_KEY_LIMIT: '456' });
  owner = await app.organization();
});
afterAll(() => app.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const ask = 'query ($days: Int! = 30) { expiringKeys(days: $days) { id } }';
type ExpiringKeysResult = { expiringKeys: { id: string }[] };

describe('the query expiringKeys', () => {
  it('The query lists the valid keys of the viewer and, for an administrator, of the organization that expire within the days, sorted by expiry', async () => {
    const { id: memberId } = await owner.member('member@us.example');
    const ownKey = await owner.userKey(owner.administratorId, { expiresAt: inDays(20) });
    const organizationKey = await owner.organizationKey({ expiresAt: inDays(3) });
    const memberKey = await owner.userKey(memberId, { expiresAt: inDays(5) });
    const revokedKey = await owner.organizationKey({ expiresAt: inDays(4) });
    await app.database.prisma.apiKey.update({
      where: { id: revokedKey.id },
      data: { revokedAt: new Date() },
    });
    await owner.organizationKey({ expiresAt: inDays(-1) });
    await owner.organizationKey({ expiresAt: inDays(60) });
    const otherOrganization = await app.organization();
    await otherOrganization.organizationKey({ expiresAt: inDays(2) });

    const [administrator, member] = [
      await signIn(app, owner.administratorId),
      await signIn(app, memberId),
    ];
    expect((await administrator.graph<ExpiringKeysResult>(ask)).data?.expiringKeys).toEqual([
      { id: organizationKey.id },
      { id: ownKey.id },
    ]);
    expect(
      (await administrator.graph<ExpiringKeysResult>(ask, { days: 10 })).data?.expiringKeys,
    ).toEqual([{ id: organizationKey.id }]);
    expect((await member.graph<ExpiringKeysResult>(ask)).data?.expiringKeys).toEqual([
      { id: memberKey.id },
    ]);
  });

  it('API keys cannot query expiringKeys', async () => {
    for (const key of [owner.key, (await owner.userKey(owner.administratorId)).key])
      expect((await app.graph(key, ask)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});

describe('the query rateLimits', () => {
  it('Every viewer in an organization can query the limits of the settings', async () => {
    const { data, answer } = await app.graph(
      owner.key,
      '{ rateLimits { organizationKey userKey } }',
    );
    expect(data).toEqual({ rateLimits: { organizationKey: 123, userKey: 456 } });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('123');
  });
});
