import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from '../../../../src/platform/env.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { startIssuer } from '../../../support/oidc-issuer.ts';
import { codeOf, enrollApp, secondStep } from '../../../support/second-factor.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const viewerQuery =
  '{ viewer { person { email firstName lastName emailVerified hasPassword lastLogin } } }';
const client = { clientId: 'atrium', clientSecret: 'a-client-secret' };
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let app: TestApp;
const settings = (more: object = {}) => ({
  ORIGIN: 'http://atrium.test',
  SIGN_IN_PROVIDERS: JSON.stringify({
    google: client,
    github: client,
    microsoft: { ...client, tenantId: '00000000-0000-4000-8000-000000000000' },
    oidc: { ...client, issuer: issuer.issuer, name: 'Example', ...more },
  }),
});

beforeAll(async () => {
  issuer = await startIssuer();
  app = await testApp(settings());
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

const begin = (body: object, on = app, headers: Record<string, string> = {}) =>
  postJson(
    on,
    '/auth/sign-in/provider',
    { provider: 'oidc', ...body },
    { origin: 'http://atrium.test', ...headers },
  );
const claimsOf = (email: string, more: object = {}) => ({
  sub: `sub-${email}`,
  email,
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Amsel',
  ...more,
});

/** Goes through the complete sign-in: to the provider, signs in there, and back. */
async function signInThere(
  claims: ReturnType<typeof claimsOf>,
  {
    callbackPath = '/',
    on = app,
    languages = {},
  }: {
    callbackPath?: string;
    on?: TestApp;
    /** Accept-Language of the page, and of the navigation back from the provider. */
    languages?: { page?: string; browser?: string };
  } = {},
) {
  const accepting = (language: string | undefined): Record<string, string> =>
    language === undefined ? {} : { 'accept-language': language };
  const startAnswer = await begin({ callbackPath }, on, accepting(languages.page));
  const back = issuer.signIn(new URL(String(startAnswer.body['url'])), claims);
  const answer = await on.request('GET', back.pathname + back.search, {
    headers: { cookie: cookieOf(startAnswer), ...accepting(languages.browser) },
  });
  const session = answer.headers
    .getSetCookie()
    .filter((line) => line.startsWith('atrium.session_token='));
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    session: sessionWith(on, session[0]?.split(';')[0] ?? ''),
    isIn: session.length > 0,
    cookies: cookieOf(answer),
    back,
  };
}

describe('a sign-in with a provider', () => {
  it.each([
    { page: 'de', browser: 'en-GB', language: 'DE' },
    { page: 'fr', browser: 'de-DE', language: 'DE' },
    { page: 'fr', browser: 'fr-FR', language: null },
  ])(
    'A page in $page and a browser that prefers $browser give a new account the language $language',
    async ({ language, ...languages }) => {
      const email = `${languages.page}-${languages.browser}@providers.example`.toLowerCase();
      const { session } = await signInThere(claimsOf(email), { languages });
      expect((await session.graph('{ viewer { person { email language } } }')).data).toEqual({
        viewer: { person: { email, language } },
      });
    },
  );

  it('A first sign-in creates an account with the verified address and leads back to the page', async () => {
    const { status, location, session } = await signInThere(claimsOf('Ada@BÜCHER.example'), {
      callbackPath: '/auth?sponsored=abc',
    });
    expect({ status, location }).toEqual({ status: 302, location: '/auth?sponsored=abc' });
    const person = {
      email: 'ada@xn--bcher-kva.example',
      firstName: 'Ada',
      lastName: 'Amsel',
      emailVerified: true,
      hasPassword: false,
    };
    expect((await session.graph(viewerQuery)).data).toMatchObject({
      viewer: { person: { ...person, lastLogin: expect.any(String) } },
    });
    expect((await signInThere(claimsOf('Ada@BÜCHER.example'))).isIn).toBe(true);
    const account = await app.database.prisma.account.findFirstOrThrow({
      where: { user: { email: person.email } },
    });
    expect(account).toMatchObject({
      providerId: 'oidc',
      accessToken: null,
      refreshToken: null,
      idToken: null,
    });
    expect(await app.database.prisma.account.count({ where: { userId: account.userId } })).toBe(1);
  });

  it('A name of the provider is cut to the length that an account can store', async () => {
    const { session } = await signInThere(
      claimsOf('named@provider.example', {
        given_name: `A\u0000da\n${'x'.repeat(5_000)}`,
        family_name: 7,
      }),
    );
    expect((await session.graph(viewerQuery)).data).toMatchObject({
      viewer: { person: { firstName: `Ada${'x'.repeat(97)}`, lastName: '' } },
    });
  });

  it('A name of the provider has no marks of direction, and none that is the address of a site is taken over', async () => {
    const { session } = await signInThere(
      claimsOf('spoof@provider.example', {
        ...{ name: '\u3164', given_name: 'Win at https://evil.example' },
        family_name: '\u202eecarG\u202c Hopper',
      }),
    );
    expect((await session.graph(viewerQuery)).data).toMatchObject({
      viewer: { person: { firstName: 'spoof', lastName: '' } },
    });
    const { session: other } = await signInThere(
      claimsOf('plain@provider.example', { family_name: '\u202eHopper\u202c' }),
    );
    expect((await other.graph(viewerQuery)).data).toMatchObject({
      viewer: { person: { firstName: 'Ada', lastName: 'Hopper' } },
    });
  });

  it('An unverified address of the provider gets no account', async () => {
    for (const email_verified of [false, undefined, 'true']) {
      const { location, isIn } = await signInThere(
        claimsOf('unchecked@provider.example', { email_verified }),
        { callbackPath: '/vault' },
      );
      expect(new URL(location ?? '', 'http://atrium.test').pathname).toBe('/auth');
      expect(new URL(location ?? '', 'http://atrium.test').searchParams.get('next')).toBe('/vault');
      expect(location).toContain('error=address_not_verified');
      expect(isIn).toBe(false);
    }
    expect(
      await app.database.prisma.user.count({ where: { email: 'unchecked@provider.example' } }),
    ).toBe(0);
  });

  it('An unclaimed account is claimed without the stranger’s password, and a claimed one keeps its password', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('known@provider.example');
    const session = await signIn(app, id);
    const refused = await signInThere(
      claimsOf('known@provider.example', { email_verified: false }),
    );
    expect({ location: refused.location, isIn: refused.isIn }).toEqual({
      location: '/auth?next=%2F&error=account_not_linked',
      isIn: false,
    });
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const claimed = await signInThere(claimsOf('known@provider.example'));
    expect((await claimed.session.graph('{ viewer { person { id hasPassword } } }')).data).toEqual({
      viewer: { person: { id, hasPassword: false } },
    });
    expect((await session.graph('{ viewer { kind } }')).data).toEqual({ viewer: null });
    const { id: beside } = await owner.member('beside@provider.example');
    await givePassword(app, beside);
    const joined = await signInThere(claimsOf('beside@provider.example'));
    expect((await joined.session.graph('{ viewer { person { id hasPassword } } }')).data).toEqual({
      viewer: { person: { id: beside, hasPassword: true } },
    });
  });

  it('An account with a second factor opens only after that factor, and the callback leads to the page of the second step', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('careful@provider.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    const { secret } = await enrollApp(app, id);
    const { location, isIn, cookies } = await signInThere(claimsOf('careful@provider.example'), {
      callbackPath: '/vault',
    });
    expect(isIn).toBe(false);
    const page = new URL(location ?? '', 'http://atrium.test');
    expect([page.pathname, page.searchParams.get('next'), page.searchParams.get('error')]).toEqual([
      '/auth',
      '/vault',
      'SECOND_FACTOR_NEEDED',
    ]);
    expect((await sessionWith(app, cookies).graph(viewerQuery)).data).toEqual({ viewer: null });
    const done = await secondStep(app, cookies, 'verify', { code: codeOf(secret) });
    expect(
      (await sessionWith(app, cookieOf(done)).graph('{ viewer { person { id } } }')).data,
    ).toEqual({ viewer: { person: { id } } });
  });

  it('A sign-in opens an account that an organization created and that nobody has used', async () => {
    const owner = await app.organization();
    await owner.manage('POST', '/users', { email: 'made@provider.example' });
    expect(
      (await signInThere(claimsOf('made@provider.example', { email_verified: false }))).isIn,
    ).toBe(false);
    expect(
      (
        await app.database.prisma.user.findUniqueOrThrow({
          where: { email: 'made@provider.example' },
        })
      ).emailVerified,
    ).toBe(false);
    const { session } = await signInThere(claimsOf('made@provider.example'));
    expect(
      (await session.graph('{ organization { id } }', {}, { 'x-atrium-organization': owner.id }))
        .data,
    ).toEqual({ organization: { id: owner.id } });
  });

  it('Each sign-in works once and only in the browser in which it began', async () => {
    const startAnswer = await begin({});
    const back = issuer.signIn(
      new URL(String(startAnswer.body['url'])),
      claimsOf('once@provider.example'),
    );
    const comeBack = (cookie: string) =>
      app.request('GET', back.pathname + back.search, { headers: { cookie } });
    const elsewhere = await comeBack('a=b');
    expect(elsewhere.headers.getSetCookie().join()).not.toContain('session_token');
    expect(elsewhere.headers.get('location')).toMatch(/^\/auth\?.*error=/);
    expect(
      await app.database.prisma.user.count({ where: { email: 'once@provider.example' } }),
    ).toBe(0);
    expect((await comeBack(cookieOf(startAnswer))).headers.get('location')).toBe('/');
    const again = await comeBack(cookieOf(startAnswer));
    expect(again.headers.getSetCookie().join()).not.toContain('session_token');
    expect(again.headers.get('location')).toMatch(/^\/auth\?.*error=/);
  });

  it('The return path must be ours, and only our pages and configured providers can begin a sign-in', async () => {
    for (const callbackPath of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await begin({ callbackPath })).status).toBe(400);
    expect((await begin({ provider: 'facebook' })).status).toBe(404);
    expect(
      (
        await postJson(
          app,
          '/auth/sign-in/provider',
          { provider: 'oidc' },
          { origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403);
    expect((await begin({ callbackURL: 'https://evil.example' })).status).toBe(403);
    const withMore = await begin({
      scopes: ['admin'],
      idToken: { token: 'x' },
      additionalData: { link: 'x' },
    });
    expect(new URL(String(withMore.body['url'])).searchParams.get('scope')).toBe(
      'openid email profile',
    );
  });

  it('A refusal of the provider leads to a page with an explanation', async () => {
    const startAnswer = await begin({ callbackPath: '/auth?invitation=abc' });
    const state = new URL(String(startAnswer.body['url'])).searchParams.get('state');
    const { headers } = await app.request(
      'GET',
      `/auth/oauth2/callback/oidc?error=access_denied&state=${state}`,
      { headers: { cookie: cookieOf(startAnswer) } },
    );
    expect(headers.get('location')).toMatch(/^\/auth\?(.*&)?error=access_denied$/);
  });

  it.each([
    ['google', 'https://accounts.google.com', 'http://atrium.test/auth/callback/google'],
    ['github', 'https://github.com', 'http://atrium.test/auth/callback/github'],
    [
      'microsoft',
      'https://login.microsoftonline.com',
      'http://atrium.test/auth/callback/microsoft',
    ],
  ])('The provider %s is called at %s', async (provider, origin, callback) => {
    const url = new URL(String((await begin({ provider })).body['url']));
    expect({ origin: url.origin, callback: url.searchParams.get('redirect_uri') }).toEqual({
      origin,
      callback,
    });
    expect(url.href).not.toContain(client.clientSecret);
  });

  it('An unreachable provider answers a readable error', async () => {
    const unreachableApp = await testApp(settings({ issuer: 'http://127.0.0.1:1' }));
    expect(await begin({}, unreachableApp)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', message: expect.stringContaining('The other site') },
    });
    await unreachableApp.close();
  });

  it('An address of a trusted provider counts as verified without its confirmation', async () => {
    const trusting = await testApp(settings({ trustEmail: true }));
    expect(
      (
        await signInThere(claimsOf('trusted@provider.example', { email_verified: undefined }), {
          on: trusting,
        })
      ).isIn,
    ).toBe(true);
    await trusting.close();
  });

  it('With email verification and without mail, a provider is the only way to an account', async () => {
    const strict = await testApp({ ...settings(), EMAIL_VERIFICATION: 'required' });
    const account = { email: 'mailless@provider.example', password: 'a long enough password' };
    expect(
      await postJson(strict, '/auth/sign-up/email', { ...account, firstName: 'Ada' }),
    ).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_DISABLED', reason: 'NO_MAIL_FOR_PROOF' },
    });
    const { id } = await (await strict.organization()).member(account.email);
    const email = await givePassword(strict, id);
    await strict.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    expect(await postJson(strict, '/auth/sign-in/email', { email, password })).toMatchObject({
      status: 403,
      body: { reason: 'NO_MAIL_FOR_PROOF' },
    });
    expect((await signInThere(claimsOf(email), { on: strict })).isIn).toBe(true);
    expect((await postJson(strict, '/auth/sign-in/email', { email, password })).status).toBe(401);
    await strict.close();
  });

  it('A provider creates no account if accounts are created by link only', async () => {
    const closed = await testApp({ ...settings(), SIGN_UP: 'by-link' });
    const { location, isIn } = await signInThere(claimsOf('stranger@provider.example'), {
      on: closed,
    });
    expect({ isIn, location }).toEqual({
      isIn: false,
      location: expect.stringContaining('error=sign_up_closed'),
    });
    await closed.close();
  });

  it('The log contains no code, secret or address', async () => {
    const { back } = await signInThere(claimsOf('log@provider.example'));
    const log = app.logLines.join('');
    expect(log).toContain('ProviderCallback');
    for (const secret of [
      back.searchParams.get('code') ?? 'none',
      client.clientSecret,
      'an-access-token',
      '@provider.example',
    ])
      expect(log).not.toContain(secret);
  });
});

describe('the sign-in options of the page', () => {
  const query = '{ signInOptions { signUp mail emailVerification providers { id name } } }';

  it('The options list the configured providers without their secrets', async () => {
    const { body, text } = await postJson(app, '/graphql', { query });
    const providers = [
      { id: 'google', name: 'Google' },
      { id: 'github', name: 'GitHub' },
      { id: 'microsoft', name: 'Microsoft' },
      { id: 'oidc', name: 'Example' },
    ];
    expect(body).toEqual({
      data: { signInOptions: { signUp: 'OPEN', mail: false, emailVerification: false, providers } },
    });
    expect(text).not.toContain(client.clientId);
  });
});

describe('the settings of providers', () => {
  const read = (providers: unknown, ORIGIN?: string) =>
    readEnv({
      SIGN_IN_PROVIDERS: typeof providers === 'string' ? providers : JSON.stringify(providers),
      ORIGIN,
    });
  it.each([
    ['invalid JSON', '{'],
    ['an unknown provider', { facebook: client }],
    ['a missing secret', { google: { clientId: 'x' } }],
    ['a directory that is open to everybody', { microsoft: { ...client, tenantId: 'common' } }],
    ['a missing directory', { microsoft: client }],
    ['an issuer that is not a URL', { oidc: { ...client, issuer: 'x', name: 'X' } }],
  ])(
    'Settings with %s are rejected with the name of the setting and without the secret',
    (_, providers) => {
      expect(() => read(providers, 'http://atrium.test')).toThrow(/SIGN_IN_PROVIDERS/);
      expect(() => read(providers, 'http://atrium.test')).not.toThrow(/a-client-secret/);
    },
  );

  it('Settings with providers need ORIGIN', () => {
    expect(() => read({ google: client })).toThrow(/SIGN_IN_PROVIDERS: needs ORIGIN/);
  });
});
