import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countSignInAttempt,
  delayAfter,
} from '../../../../src/modules/accounts/sign-in/sign-in-attempts.ts';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import { cookieOf, givePassword, password, postJson } from '../../../support/sign-in.ts';

const path = '/auth/sign-in/email';
let app: TestApp;
let owner: TestOrganization;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

const take = (email: string, network: string, device?: string) =>
  countSignInAttempt({ email, network, device }, app.contextParts.limits).then(
    () => 'taken',
    ({ code }) => code,
  );
const many = (count: number, one: (index: number) => Promise<string>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

describe('the limit of sign-in attempts', () => {
  it('Attempts are counted exactly per account and network, even if they are concurrent', async () => {
    const answers = await many(40, () => take('one@lock-out.example', '192.0.2.1'));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(10);
    expect(await take('one@lock-out.example', '192.0.2.2')).toBe('taken');
    expect(await take('other@lock-out.example', '192.0.2.1')).toBe('taken');
  });

  it('A known device has a separate count of attempts', async () => {
    await many(40, () => take('two@lock-out.example', '192.0.2.1'));
    const answers = await many(12, () => take('two@lock-out.example', '192.0.2.1', 'device'));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(10);
  });

  it('Attempts of unknown devices are delayed increasingly, and those of the known device are not', async () => {
    expect([1, 100, 101, 151, 201, 1_000].map(delayAfter)).toEqual([0, 0, 250, 500, 1_000, 8_000]);
    for (let attempt = 0; attempt < 1_000; attempt += 1)
      await app.contextParts.limits.consume('sign-in-all:three@lock-out.example', 1_000, 3_600);
    expect(await take('three@lock-out.example', '192.0.2.77')).toBe('RATE_LIMITED');
    expect(await take('three@lock-out.example', '192.0.2.77', 'device')).toBe('taken');
  });
});

describe('a browser that signed in before', () => {
  it('A known browser signs in while strangers use up all attempts of its network', async () => {
    const { id } = await owner.member('home@lock-out.example');
    const email = await givePassword(app, id);
    const device = cookieOf(await postJson(app, path, { email, password }))
      .split('; ')
      .filter((cookie) => cookie.startsWith('atrium-device-'))
      .join('; ');
    expect(device).not.toBe('');
    await many(12, async () =>
      String((await postJson(app, path, { email, password: 'a wrong password' })).status),
    );
    expect((await postJson(app, path, { email, password })).status).toBe(429);
    const origin = 'http://atrium.test';
    expect(
      (await postJson(app, path, { email, password }, { cookie: device, origin })).status,
    ).toBe(200);
    expect(
      (await postJson(app, path, { email, password }, { cookie: `${device}x`, origin })).status,
    ).toBe(429);
  });

  it('A known browser is not known to another account', async () => {
    const [one, other] = [
      await owner.member('one-of-two@lock-out.example'),
      await owner.member('other-of-two@lock-out.example'),
    ];
    const [oneEmail, otherEmail] = [
      await givePassword(app, one.id),
      await givePassword(app, other.id),
    ];
    const cookie = cookieOf(await postJson(app, path, { email: oneEmail, password }));
    const value = /atrium-device-[^=]+=([^;]+)/.exec(cookie)?.[1];
    const { headers } = await postJson(app, path, { email: otherEmail, password });
    const name = /(atrium-device-[^=]+)=/.exec(headers.getSetCookie().join('\n'))?.[1];
    await many(12, async () =>
      String(
        (await postJson(app, path, { email: otherEmail, password: 'a wrong password' })).status,
      ),
    );
    const stolen = { cookie: `${name}=${value}`, origin: 'http://atrium.test' };
    expect((await postJson(app, path, { email: otherEmail, password }, stolen)).status).toBe(429);
  });
});
