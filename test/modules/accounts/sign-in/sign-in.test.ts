import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSessionToken } from '../../../../src/modules/accounts/sessions/stored-sessions.ts';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const viewerQuery = '{ viewer { kind person { id } } }';
const address = '/auth/sign-in/email';
let app: TestApp;
let owner: TestOrganization;
let personCount = 0;

beforeAll(async () => {
  app = await testApp({ CORS_ORIGINS: 'https://console.example' });
  owner = await app.organization();
});
afterAll(() => app.close());

async function person(email?: string) {
  personCount += 1;
  const { id } = await owner.member(email ?? `person-${personCount}@sign-in.example`);
  return { id, email: await givePassword(app, id) };
}

describe('a sign-in', () => {
  it('A sign-in opens GraphQL as the person, and stores the time', async () => {
    const { id, email } = await person();
    const answer = await postJson(app, address, { email, password });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    const { data } = await sessionWith(app, cookieOf(answer)).graph(viewerQuery);
    expect(data).toEqual({ viewer: { kind: 'SESSION', person: { id } } });
    const { lastLogin } = await app.database.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(Date.now() - Number(lastLogin)).toBeLessThan(60_000);
  });

  it('The session cookie is hidden from scripts and other sites', async () => {
    const { email } = await person();
    const answer = await postJson(app, address, { email, password });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^atrium\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^atrium-device-[\w-]{16}=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [, token = 'none'] = /=([^.;]+)/.exec(cookieOf(answer)) ?? [];
    expect(answer.text).not.toContain(token);
  });

  it('A sign-in finds the account with every spelling of the address', async () => {
    const { email } = await person('straße@bücher.example');
    await app.database.prisma.user.updateMany({
      where: { email },
      data: { email: 'straße@xn--bcher-kva.example' },
    });
    for (const written of [
      'straße@bücher.example',
      ' Straße@BÜCHER.Example ',
      'straße@xn--bcher-kva.example',
    ]) {
      expect((await postJson(app, address, { email: written, password })).status).toBe(200);
    }
  });

  it('A sign-in accepts addresses under an internationalized top-level domain', async () => {
    const { email } = await person('olga=work@xn--e1aybc.xn--p1ai');
    expect((await postJson(app, address, { email, password })).status).toBe(200);
  });

  it('A wrong password, an unknown address, an account without a password and a malformed address get the same response', async () => {
    const { email } = await person();
    const passwordless = await app.database.prisma.user.create({
      data: { id: 'passwordless', email: 'passwordless@sign-in.example' },
    });
    const credentialsList = [
      { email, password: `${password}!` },
      { email: 'nobody@sign-in.example', password },
      { email: passwordless.email, password },
      { email: 'no address', password },
    ];
    for (const credentials of credentialsList) {
      const { status, body, headers } = await postJson(app, address, credentials);
      expect({ status, body }).toEqual({
        status: 401,
        body: { message: 'Wrong e-mail address or password', code: 'INVALID_EMAIL_OR_PASSWORD' },
      });
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('After ten attempts per minute for one account, concurrent ones included, even the right password is rejected', async () => {
    const { email } = await person();
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => postJson(app, address, { email, password: 'wrong' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(401),
      ...Array(5).fill(429),
    ]);
    expect((await postJson(app, address, { email: email.toUpperCase(), password })).status).toBe(
      429,
    );
    expect((await signIn(app, (await person()).id)).cookie).not.toBe('');
  });

  it('A sign-in from a page of another site is rejected unless the settings name that site', async () => {
    const { email } = await person();
    const from = (origin: string) => postJson(app, address, { email, password }, { origin });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from('https://console.example')).status).toBe(200);
    expect((await from('http://atrium.test')).status).toBe(200);
  });

  it.each([
    ['no JSON', 400, { 'content-type': 'application/json' }, '{"email'],
    [
      'a field of a wrong type',
      400,
      { 'content-type': 'application/json' },
      '{"email":{"contains":"@"},"password":"x"}',
    ],
    ['a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }, 'email=a&password=b'],
    [
      'more than 64 kB',
      413,
      { 'content-type': 'application/json' },
      JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(65_536) }),
    ],
  ])(
    'The body %s answers %i, and the response does not repeat it',
    async (_, status, headers, body) => {
      const answer = await app.request('POST', address, { headers, body });
      expect(answer.status).toBe(status);
      expect(answer.body['message']).toEqual(expect.any(String));
      expect(answer.text).not.toMatch(/contains|xxx/);
    },
  );
});

describe('a session', () => {
  it('A session ends at once when its person signs out', async () => {
    const session = await signIn(app, (await person()).id);
    const signOutAnswer = await postJson(
      app,
      '/auth/sign-out',
      {},
      { cookie: session.cookie, origin: 'http://atrium.test' },
    );
    expect(signOutAnswer.status).toBe(200);
    expect((await session.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect(
      await app.database.prisma.session.count({
        where: {
          token: hashSessionToken(decodeURIComponent(session.cookie).split(/[=.]/)[2] ?? ''),
        },
      }),
    ).toBe(0);
  });

  it('An expired session is rejected', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await session.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await session.graph('{ organization { id } }')).code).toBe('UNAUTHENTICATED');
  });

  it('A token with a foreign signature is rejected', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    const { token } = await app.database.prisma.session.findFirstOrThrow({ where: { userId: id } });
    const signature = session.cookie.slice(session.cookie.indexOf('.', 20));
    for (const forged of [
      token,
      `${token}.`,
      `${token}.${btoa('x'.repeat(32))}`,
      `other${signature}`,
    ]) {
      expect(
        (await sessionWith(app, `atrium.session_token=${forged}`).graph(viewerQuery)).data,
      ).toEqual({
        viewer: null,
      });
    }
  });

  it('A page can read who is signed in, without the password', async () => {
    const { id, email } = await person();
    const { cookie } = await signIn(app, id);
    const { status, body, text } = await app.request('GET', '/auth/get-session', {
      headers: { cookie },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { user: { id, email } } });
    expect(text).not.toMatch(/password|hash/i);
    const { token } = await app.database.prisma.session.findFirstOrThrow({ where: { userId: id } });
    expect(text).not.toContain(token);
    expect(await app.request('GET', '/auth/get-session')).toMatchObject({
      status: 200,
      text: 'null',
    });
  });

  it('A session that cannot be read or deleted is not reported as ended', async () => {
    const brokenApp = await testApp();
    try {
      const { administratorId } = await brokenApp.organization();
      const { cookie } = await signIn(brokenApp, administratorId);
      await brokenApp.database.sql`alter table sessions rename to sessions_elsewhere`;
      expect(
        (await brokenApp.request('GET', '/auth/get-session', { headers: { cookie } })).status,
      ).toBe(500);
      expect(
        (await postJson(brokenApp, '/auth/sign-out', {}, { cookie, origin: 'http://atrium.test' }))
          .status,
      ).toBe(500);
      await brokenApp.database.sql`alter table sessions_elsewhere rename to sessions`;
      expect(
        (await brokenApp.request('GET', '/auth/get-session', { headers: { cookie } })).body['user'],
      ).toMatchObject({ id: administratorId });
    } finally {
      await brokenApp.close();
    }
  });

  it('A session is renewed when a page reads it after a day, unless it ends with the browser', async () => {
    const { id, email } = await person();
    const expiresAt = new Date(Date.now() + 5 * 86_400_000);
    const forgetful = await postJson(app, address, { email, password, rememberMe: false });
    expect(forgetful.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]+;[^,]*Max-Age/);
    const { cookie } = await signIn(app, id);
    await app.database.prisma.session.updateMany({ where: { userId: id }, data: { expiresAt } });
    const renewed = await app.request('GET', '/auth/get-session', { headers: { cookie } });
    expect(renewed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^atrium\.session_token=[^;]+; Max-Age=604800;/),
    ]);
    expect(Number(new Date(String(Object(renewed.body['session']).expiresAt)))).toBeGreaterThan(
      Number(expiresAt),
    );
    const endingSession = await app.request('GET', '/auth/get-session', {
      headers: { cookie: cookieOf(forgetful) },
    });
    expect(endingSession.headers.getSetCookie()).toEqual([]);
  });

  it('A new session replaces the previous one of its browser and deletes expired ones', async () => {
    const { id, email } = await person();
    const first = await signIn(app, id);
    await app.database.prisma.session.create({
      data: { id: `ended-${id}`, userId: id, token: `ended-${id}`, expiresAt: new Date(0) },
    });
    const newSignIn = await postJson(
      app,
      address,
      { email, password },
      { cookie: first.cookie, origin: 'http://atrium.test' },
    );
    expect((await first.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await sessionWith(app, cookieOf(newSignIn)).graph(viewerQuery)).data).toEqual({
      viewer: { kind: 'SESSION', person: { id } },
    });
    expect(await app.database.prisma.session.count({ where: { userId: id } })).toBe(1);
  });

  it('A session cannot execute REST calls', async () => {
    const { cookie } = await signIn(app, owner.administratorId);
    expect(
      (await app.request('GET', '/api/user-management/v1/users', { headers: { cookie } })).status,
    ).toBe(401);
  });
});

describe('the paths below /auth/', () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = (await signIn(app, owner.administratorId)).cookie;
  });
  const closed = [
    'sign-up/username',
    'sign-in/social',
    'sign-in/oauth2',
    'oauth2/link',
    'link-social',
    'callback/google',
    'oauth2/callback/oidc',
    'update-user',
    'delete-user',
    'change-email',
    'change-password',
    'set-password',
    'verify-password',
    'list-accounts',
    'list-sessions',
    'revoke-session',
    'get-access-token',
    'error',
    'ok',
  ];

  it.each(closed)('The path /auth/%s answers 404', async (path) => {
    const body = { email: 'new@sign-in.example', password, name: 'New', firstName: 'New' };
    for (const method of ['GET', 'POST']) {
      const headers = {
        cookie,
        origin: 'http://atrium.test',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      };
      const answer = await app.request(method, `/auth/${path}`, {
        headers,
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      });
      expect(answer.status).toBe(404);
    }
    expect(await app.database.prisma.user.count({ where: { email: body.email } })).toBe(0);
  });

  const calls = {
    'sign-up/email': { email: 'new@sign-in.example', password, firstName: 'New' },
    'sign-in/email': { email: 'new@sign-in.example', password },
    'sign-in/provider': { provider: 'github' },
    'sign-out': {},
    'request-password-reset': { email: 'new@sign-in.example' },
    'reset-password': { token: 'x', password },
    'send-verification-email': { email: 'new@sign-in.example' },
    'verify-email': { token: 'x' },
  };

  it.each(Object.entries(calls))(
    'The path /auth/%s rejects requests from pages of other sites, with and without a cookie',
    async (path, body) => {
      const origin = 'https://evil.example';
      const foreign = [
        { origin, cookie },
        { cookie },
        { cookie, 'sec-fetch-site': 'cross-site', origin: 'null' },
        ...(path === 'sign-out' ? [] : [{ origin }]),
      ];
      for (const headers of foreign)
        expect((await postJson(app, `/auth/${path}`, body, headers)).status).toBe(403);
      const form = await app.request('POST', `/auth/${path}`, {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'http://atrium.test',
        },
        body: 'token=x',
      });
      expect(form.status).toBe(415);
      expect((await sessionWith(app, cookie).graph(viewerQuery)).data).toEqual({
        viewer: { kind: 'SESSION', person: { id: owner.administratorId } },
      });
    },
  );

  it('A path names the one method that it accepts', async () => {
    const { status, headers } = await app.request('GET', address);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
  });
});

describe('an https ORIGIN', () => {
  it('Cookies are sent over https only, and only pages of ORIGIN can sign people in', async () => {
    const secure = await testApp({ ORIGIN: 'https://atrium.example' });
    const { administratorId } = await secure.organization();
    const email = await givePassword(secure, administratorId);
    const answer = await postJson(
      secure,
      address,
      { email, password },
      { origin: 'https://atrium.example' },
    );
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-atrium\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-atrium-device-[\w-]{16}=.+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(
      (await postJson(secure, address, { email, password }, { origin: 'http://atrium.test' }))
        .status,
    ).toBe(403);
    await secure.close();
  });
});

describe('an internal error', () => {
  it('An internal error is answered with its request id only', async () => {
    const broken = await testApp();
    await broken.database.close();
    const { status, body, headers } = await postJson(broken, address, {
      email: 'ada@sign-in.example',
      password,
    });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body['message']).toContain(headers.get('x-request-id'));
    expect(Object.keys(body).toSorted()).toEqual(['code', 'message']);
  });
});

describe('the log of sign-ins', () => {
  it('The log contains no password, no session token and no address of a person', () => {
    const log = app.logLines.join('');
    expect(log).toContain('SignIn');
    expect(log).not.toContain(password);
    expect(log).not.toMatch(/session_token|@sign-in\.example/);
  });
});
