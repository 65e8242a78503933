import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSponsoredCookies } from '../../../../src/modules/sponsorship/redeeming/sponsored-cookies.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import {
  type CookieClient,
  cookieClient,
  sponsoredLinkCalls,
} from '../../../support/cookie-client.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { minutes } from '../../../support/redemptions.ts';

const linkPassword = 'open sesame';
let app: TestApp;
let partner: TestPartner;
let now = Date.now();

beforeAll(async () => {
  app = await testApp(
    { AUTH_SECRET: 'a secret of at least 32 characters' },
    { clock: () => new Date(now) },
  );
  partner = await partnerIn(app);
});
afterAll(() => app.close());

async function linkWithPassword() {
  const campaign = await partner.campaign();
  const { id, token } = await partner.link(campaign.id, { password: linkPassword });
  return { linkId: id, token: String(token) };
}

/** A browser that has entered the password and reserved. */
async function visitorWithReservation(token: string) {
  const visitor = cookieClient(app);
  await sponsoredLinkCalls(visitor, token).open(linkPassword);
  expect(await sponsoredLinkCalls(visitor, token).reserve()).toHaveProperty('heldUntil');
  return visitor;
}

function cookieOf({ cookies }: CookieClient, kind: 'grant' | 'place') {
  const [name = '', cookie = { value: '', line: '' }] =
    [...cookies].find(([cookieName]) => cookieName.startsWith(`atrium-${kind}-`)) ?? [];
  return { name, ...cookie };
}

const isOpen = async (visitor: CookieClient, token: string) =>
  !Object(await sponsoredLinkCalls(visitor, token).look()).needsPassword;

describe('the cookies of a sponsored link', () => {
  it('The cookies are HttpOnly, sent only to /graphql and not to other sites, and expire after half an hour', async () => {
    const { token } = await linkWithPassword();
    const visitor = await visitorWithReservation(token);
    for (const kind of ['grant', 'place'] as const) {
      const { line } = cookieOf(visitor, kind);
      expect(line.split('; ').slice(1).toSorted()).toEqual([
        'HttpOnly',
        'Max-Age=1800',
        'Path=/graphql',
        'SameSite=Lax',
      ]);
    }
    now += minutes(30);
    expect(await isOpen(visitor, token)).toBe(false);
    expect(await sponsoredLinkCalls(visitor, token).reserve()).toBe('PASSWORD_REQUIRED');
  });

  it('With an https origin the cookies are Secure and have the __Host- prefix', async () => {
    const secure = await testApp({ ORIGIN: 'https://atrium.example' });
    const sponsor = await partnerIn(secure);
    const { token } = await sponsor.link((await sponsor.campaign()).id);
    const visitor = cookieClient(secure);
    await sponsoredLinkCalls(visitor, String(token)).reserve();
    const [line = ''] = visitor.answers
      .flatMap(({ headers }) => headers.getSetCookie())
      .filter((cookie) => cookie.includes('atrium-place-'));
    expect(line).toMatch(/^__Host-atrium-place-.+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    await secure.close();
  });

  it('A cookie with a single changed character is rejected', async () => {
    const { token } = await linkWithPassword();
    const reservedVisitor = await visitorWithReservation(token);
    const { name, value, line } = cookieOf(reservedVisitor, 'grant');
    const changed = Array.from(
      value,
      (letter, index) =>
        value.slice(0, index) + (letter === 'A' ? 'B' : 'A') + value.slice(index + 1),
    );
    const extended = value.replace(/\.(\d+)\./, (_, end: string) => `.${Number(end) + 1}.`);
    for (const forged of [
      ...changed.filter((_, index) => index % 7 === 0),
      extended,
      '',
      '.',
      '..',
      `${value}x`,
      value.split('.')[0] ?? '',
    ]) {
      const attacker = cookieClient(app);
      attacker.cookies.set(name, { value: forged, line });
      expect(await isOpen(attacker, token)).toBe(false);
    }
  });

  it('A cookie of one link is rejected at another link, under either name', async () => {
    const [first, second] = [await linkWithPassword(), await linkWithPassword()];
    const reservedVisitor = await visitorWithReservation(first.token);
    const visitor = await visitorWithReservation(second.token);
    for (const kind of ['grant', 'place'] as const)
      visitor.cookies.set(cookieOf(visitor, kind).name, cookieOf(reservedVisitor, kind));
    expect(await isOpen(visitor, second.token)).toBe(false);
    expect(await isOpen(reservedVisitor, second.token)).toBe(false);
  });

  it('A cookie is valid only under the name under which it was set', () => {
    const cookies = createSponsoredCookies({ secret: 'a secret', clock: () => new Date(now) });
    let setCookieLine = '';
    const cookiesOf = (token: string, cookie?: string) =>
      cookies({
        token,
        origin: 'http://atrium.test',
        clientInfo: {
          address: undefined,
          userAgent: null,
          cookie: () => cookie,
          setCookie: (line) => (setCookieLine = line),
          setHeader: () => undefined,
        },
      });
    cookiesOf('one').reservation.set('something', new Date(now + 1));
    const [, value = ''] = /=([^;]*)/.exec(setCookieLine) ?? [];
    const readCookies = [
      cookiesOf('one', value).reservation,
      cookiesOf('one', value).grant,
      cookiesOf('other', value).reservation,
      cookiesOf('one').reservation,
    ];
    expect(readCookies.map((cookie) => cookie.value)).toEqual(['something', null, null, null]);
  });

  it('A grant cookie is rejected as a reservation cookie, and a reservation cookie as a grant cookie', async () => {
    const { token } = await linkWithPassword();
    const reservedVisitor = await visitorWithReservation(token);
    const [grant, reservationCookie] = [
      cookieOf(reservedVisitor, 'grant'),
      cookieOf(reservedVisitor, 'place'),
    ];
    reservedVisitor.cookies.set(grant.name, reservationCookie);
    reservedVisitor.cookies.set(reservationCookie.name, grant);
    expect(await isOpen(reservedVisitor, token)).toBe(false);
  });

  it('A browser can have the cookies of two links at the same time', async () => {
    const [first, second] = [await linkWithPassword(), await linkWithPassword()];
    const visitor = await visitorWithReservation(first.token);
    await sponsoredLinkCalls(visitor, second.token).open(linkPassword);
    await sponsoredLinkCalls(visitor, second.token).reserve();
    for (const { token } of [first, second])
      expect(await sponsoredLinkCalls(visitor, token).look()).toMatchObject({
        needsPassword: false,
        heldUntil: expect.any(String),
      });
  });

  it('A grant cookie becomes invalid when the password changes, but a reservation stays valid', async () => {
    const { linkId, token } = await linkWithPassword();
    const grantedVisitor = cookieClient(app);
    await sponsoredLinkCalls(grantedVisitor, token).open(linkPassword);
    const reservedVisitor = await visitorWithReservation(token);
    await partner.sponsor('PATCH', `/links/${linkId}/password`, { password: 'another one' });
    expect(await isOpen(grantedVisitor, token)).toBe(false);
    expect(await isOpen(reservedVisitor, token)).toBe(true);
  });

  it('A process with another secret rejects the cookies', async () => {
    const { token } = await linkWithPassword();
    const reservedVisitor = await visitorWithReservation(token);
    const otherApp = await testApp({ AUTH_SECRET: 'another secret of at least 32 characters' });
    const sponsor = await partnerIn(otherApp);
    const { token: otherToken } = await sponsor.link((await sponsor.campaign()).id, {
      password: linkPassword,
    });
    const visitor = cookieClient(otherApp);
    await sponsoredLinkCalls(visitor, String(otherToken)).open(linkPassword);
    visitor.cookies.set(cookieOf(visitor, 'grant').name, cookieOf(reservedVisitor, 'grant'));
    expect(await isOpen(visitor, String(otherToken))).toBe(false);
    await otherApp.close();
  });

  it('No response body and no log line contains a cookie value, the password or the link token', async () => {
    const { token } = await linkWithPassword();
    const reservedVisitor = await visitorWithReservation(token);
    await sponsoredLinkCalls(reservedVisitor, token).open('a wrong one');
    const secrets = (['grant', 'place'] as const)
      .flatMap((kind) => cookieOf(reservedVisitor, kind).value.split('.'))
      .filter((part) => part.length > 20);
    expect(secrets).toHaveLength(4);
    const output = [...reservedVisitor.answers.map(({ text }) => text), ...app.logLines].join('\n');
    for (const secret of [...secrets, linkPassword, 'a wrong one', token])
      expect(output).not.toContain(secret);
  });
});
