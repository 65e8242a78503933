import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from '../../../src/platform/env.ts';
import { type Answer, type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { invite } from '../../support/invitations.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { partnerIn } from '../../support/partner.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../support/sign-in.ts';

const address = '/auth/sign-up/email';
const who =
  '{ viewer { person { email firstName lastName emailVerified hasPassword } organization { id } } }';
const person = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Amsel' });

describe('signing up', () => {
  let app: TestApp;
  let owner: TestOrganization;
  beforeAll(async () => {
    app = await testApp();
    owner = await app.organization();
  });
  afterAll(() => app.close());

  it('makes an account without an organization, and signs its owner in', async () => {
    const answer = await postJson(app, address, person(' Ada@BÜCHER.example '));
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    const { data } = await sessionWith(app, cookieOf(answer)).graph(who);
    const { firstName, lastName } = person('');
    const seen = {
      email: 'ada@xn--bcher-kva.example',
      firstName,
      lastName,
      emailVerified: false,
      hasPassword: true,
    };
    expect(data).toEqual({ viewer: { person: seen, organization: null } });
    const user = await app.database.prisma.user.findUniqueOrThrow({ where: { email: seen.email } });
    expect(user.lastLogin).toBeInstanceOf(Date);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email: 'ada@bücher.example', password }))
        .status,
    ).toBe(200);
  });

  it('names every field that is wrong, and makes nothing', async () => {
    const { status, body } = await postJson(app, address, {
      email: 'no address',
      password: 'short',
      firstName: ' ',
      lastName: 'x'.repeat(201),
      callbackPath: '//evil.example',
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'BAD_INPUT', message: expect.any(String) },
    });
    expect(Object.keys(Object(body['fields'])).toSorted()).toEqual([
      'callbackPath',
      'email',
      'firstName',
      'lastName',
      'password',
    ]);
    expect((await postJson(app, address, { email: { contains: '@' } })).status).toBe(400);
  });

  it.each([
    ['9 characters', 'x'.repeat(9), 400],
    ['129 characters', 'x'.repeat(129), 400],
    ['half a character', `${'x'.repeat(10)}\ud800`, 400],
    [
      '128 characters outside the first plane',
      Array.from({ length: 128 }, (_, index) =>
        String.fromCodePoint(0x1_f400 + ((index * 37) % 128)),
      ).join(''),
      200,
    ],
    ['spaces at its ends', '  a b c d ', 200],
  ])('judges a password of %s by code points: %s → %i', async (name, chosen, status) => {
    expect(
      (
        await postJson(app, address, {
          ...person(`password-${name.length}@sign-up.example`),
          password: chosen,
        })
      ).status,
    ).toBe(status);
  });

  it.each([
    '1234567890',
    'passwordpassword',
    'qwertyuiop',
    'Ada.Amsel1815',
    'easy@sign-up.example',
  ])('refuses %j, which is easy to guess', async (easy) => {
    const { status, body } = await postJson(app, address, {
      ...person('easy@sign-up.example'),
      password: easy,
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_INPUT',
        fields: { password: expect.stringContaining('not easy to guess') },
      },
    });
  });

  it('does not take an account over, whether it has a password or was made by an organization', async () => {
    const { id } = await owner.member('taken@sign-up.example');
    const email = await givePassword(app, id);
    const { id: passwordless } = await app.database.prisma.user.create({
      data: { id: 'made', email: 'made@sign-up.example' },
    });
    const refusals = {
      [email]: 'ACCOUNT_EXISTS',
      'made@sign-up.example': 'NO_MAIL_FOR_PROOF',
      'MADE@sign-up.example': 'NO_MAIL_FOR_PROOF',
    };
    for (const [taken, reason] of Object.entries(refusals)) {
      const { status, body, headers } = await postJson(app, address, {
        ...person(taken),
        password: 'another password',
      });
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'CONFLICT', reason } });
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(await app.database.prisma.account.count({ where: { userId: passwordless } })).toBe(0);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('makes one account of simultaneous tries, and tells the others that there is one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => postJson(app, address, person('once@sign-up.example'))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(
      await app.database.prisma.account.count({
        where: { user: { email: 'once@sign-up.example' } },
      }),
    ).toBe(1);
  });

  it('refuses pages of other sites', async () => {
    const from = (headers: Record<string, string>) =>
      postJson(app, address, person('cross@sign-up.example'), headers);
    expect((await from({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await from({ origin: 'null', cookie: 'a=b' })).status).toBe(403);
    expect(
      (await from({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).status,
    ).toBe(403);
    expect(
      await app.database.prisma.user.count({ where: { email: 'cross@sign-up.example' } }),
    ).toBe(0);
  });

  it('sends no mail where none goes out, and leaves nothing of it in the log', async () => {
    expect(
      (await postJson(app, '/auth/request-password-reset', { email: 'ada@sign-up.example' })).body,
    ).toMatchObject({ code: 'FEATURE_DISABLED' });
    expect(app.logLines.join('')).not.toMatch(/@sign-up\.example|a horse, a battery/);
  });
});

describe('where addresses must be confirmed', () => {
  let app: TestApp;
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  beforeAll(async () => {
    mail = await receiveMail();
    app = await testApp({ EMAIL_VERIFICATION: 'required', ...mail.settings });
  });
  afterAll(async () => {
    await app.close();
    await mail.close();
  });

  /** Opens a link in the browser that signed up with these cookies. */
  const verify = (link: URL, begun: Answer) =>
    postJson(
      app,
      '/auth/verify-email',
      { token: link.searchParams.get('token') },
      { cookie: cookieOf(begun), origin: 'http://atrium.test' },
    );

  it('there is no account before the link, which signs in once and leads back', async () => {
    const email = 'new@confirm.example';
    const answer = await postJson(app, address, {
      ...person(email),
      callbackPath: '/auth?sponsored=abc',
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: false },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^atrium\.browser=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const link = linkIn(await mail.next(email));
    expect(link.origin + link.pathname).toBe('http://atrium.test/auth/verify');
    expect(await app.database.prisma.user.count({ where: { email } })).toBe(0);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(401);
    const verified = await verify(link, answer);
    expect(verified.body).toEqual({ signedIn: true, callbackPath: '/auth?sponsored=abc' });
    expect((await sessionWith(app, cookieOf(verified)).graph(who)).data).toMatchObject({
      viewer: { person: { email, emailVerified: true } },
    });
    expect(await verify(link, answer)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', reason: 'LINK_NOT_VALID' },
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
    const secret = link.searchParams.get('token') ?? 'none';
    expect(app.logLines.join('')).not.toContain(secret);
    expect(JSON.stringify(await app.database.prisma.verification.findMany())).not.toContain(secret);
  });

  it('strangers are told the same of an address with an account, and its owner is told by mail', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('known@confirm.example');
    const email = await givePassword(app, id);
    const answer = await postJson(app, address, { ...person(email), password: 'another password' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: false },
    });
    expect(await mail.next(email)).toMatchObject({ subject: 'You have an account already' });
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'another password' })).status,
    ).toBe(401);
  });

  it('an account that an organization made opens to who can read its mailbox, with the names that this person gave', async () => {
    const email = 'made@confirm.example';
    await app.database.prisma.user.create({
      data: { id: 'made', email, firstName: 'Grace', lastName: 'Hopper' },
    });
    const begun = await postJson(app, address, person(email));
    const verified = await verify(linkIn(await mail.next(email)), begun);
    const { data } = await sessionWith(app, cookieOf(verified)).graph(who);
    expect(data).toMatchObject({
      viewer: {
        person: { firstName: 'Ada', lastName: 'Amsel', emailVerified: true, hasPassword: true },
      },
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('of two sign-ups for one address only the one whose link is followed first counts', async () => {
    const email = 'twice@confirm.example';
    const begun = await postJson(app, address, {
      ...person(email),
      password: 'the first password',
    });
    const first = linkIn(await mail.next(email));
    const begunAgain = await postJson(app, address, {
      ...person(email),
      password: 'the other password',
    });
    const other = linkIn(await mail.next(email));
    expect((await verify(other, begunAgain)).status).toBe(200);
    expect((await verify(first, begun)).status).toBe(404);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'the other password' }))
        .status,
    ).toBe(200);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'the first password' }))
        .status,
    ).toBe(401);
  });

  it('two links that are followed at the same moment make one account, and one of them leads in', async () => {
    const email = 'both@confirm.example';
    const begun = await postJson(app, address, person(email));
    const first = linkIn(await mail.next(email));
    const begunAgain = await postJson(app, address, person(email));
    const answers = await Promise.all([
      verify(first, begun),
      verify(linkIn(await mail.next(email)), begunAgain),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
    expect(await app.database.prisma.account.count({ where: { user: { email } } })).toBe(1);
  });

  it('nobody’s mailbox is flooded, whether or not there is an account', async () => {
    const email = 'flooded@confirm.example';
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await postJson(app, address, person(email))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('whoever has an account from before signs in after a link that comes by itself', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('before@confirm.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const email = await givePassword(app, id);
    const wrong = await postJson(app, '/auth/sign-in/email', { email, password: 'wrong' });
    expect(wrong.status).toBe(401);
    const refused = await postJson(app, '/auth/sign-in/email', {
      email,
      password,
      callbackPath: '/settings',
    });
    expect(refused).toMatchObject({ status: 403, body: { reason: 'EMAIL_NOT_VERIFIED' } });
    expect(refused.headers.getSetCookie().join()).not.toContain('session_token');
    const link = linkIn(await mail.next(email));
    expect((await verify(link, refused)).body).toEqual({
      signedIn: true,
      callbackPath: '/settings',
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
    expect((await verify(link, refused)).status).toBe(404);
  });

  it('a link that is sent again goes to accounts that wait for it only, and the answer does not tell', async () => {
    const told = await Promise.all(
      ['nobody@confirm.example', 'new@confirm.example'].map((email) =>
        postJson(app, '/auth/send-verification-email', { email }),
      ),
    );
    expect(told.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: { sent: true } },
      { status: 200, body: { sent: true } },
    ]);
    expect(
      await app.database.prisma.verification.count({
        where: { value: { contains: 'nobody@confirm.example' } },
      }),
    ).toBe(0);
    for (const callbackPath of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'evil',
      '/a b',
    ]) {
      expect(
        (
          await postJson(app, '/auth/send-verification-email', {
            email: 'new@confirm.example',
            callbackPath,
          })
        ).status,
      ).toBe(400);
    }
  });

  it('a link confirms, but moves nobody to another account who is signed in', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('moved-nowhere@confirm.example');
    const session = await signIn(app, id);
    const begun = await postJson(app, address, person('other@confirm.example'));
    const token = linkIn(await mail.next('other@confirm.example')).searchParams.get('token');
    const answer = await postJson(
      app,
      '/auth/verify-email',
      { token },
      { cookie: `${session.cookie}; ${cookieOf(begun)}`, origin: 'http://atrium.test' },
    );
    expect({ body: answer.body, cookies: answer.headers.getSetCookie() }).toEqual({
      body: { signedIn: false, callbackPath: '/' },
      cookies: [],
    });
    expect((await session.graph('{ viewer { person { id } } }')).data).toEqual({
      viewer: { person: { id } },
    });
    expect(
      (await postJson(app, '/auth/sign-in/email', { email: 'other@confirm.example', password }))
        .status,
    ).toBe(200);
  });

  it('a link ends after a day', async () => {
    const email = 'late@confirm.example';
    const begun = await postJson(app, address, person(email));
    const link = linkIn(await mail.next(email));
    await app.database.prisma.verification.updateMany({
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await verify(link, begun)).status).toBe(404);
  });

  it('the settings must name a mail server', () => {
    expect(() => readEnv({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'required' })).toThrow(
      /EMAIL_VERIFICATION: required needs SMTP_URL or SIGN_IN_PROVIDERS/,
    );
    expect(
      readEnv({ NODE_ENV: 'development', EMAIL_VERIFICATION: 'required' }).EMAIL_VERIFICATION,
    ).toBe('required');
  });
});

describe('where accounts are made by link only', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ SIGN_UP: 'by-link' });
  });
  afterAll(() => app.close());
  const signUp = (email: string, callbackPath = '/') =>
    postJson(app, address, { ...person(email), callbackPath });

  it('nobody makes one who comes by themselves, or with a link that leads nowhere', async () => {
    for (const path of [
      '/',
      '/auth',
      `/auth?sponsored=${'x'.repeat(32)}`,
      `/auth?invitation=${'x'.repeat(32)}`,
    ]) {
      expect(await signUp('stranger@by-link.example', path)).toMatchObject({
        status: 403,
        body: { reason: 'SIGN_UP_CLOSED' },
      });
    }
    expect(
      await app.database.prisma.user.count({ where: { email: 'stranger@by-link.example' } }),
    ).toBe(0);
  });

  it('a sponsored link opens sign-up for whom its campaign admits', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ allowedEmailDomains: ['by-link.example'] });
    const { token } = await partner.link(campaign.id);
    expect((await signUp('ada@elsewhere.example', `/auth?sponsored=${token}`)).status).toBe(403);
    expect((await signUp('ada@by-link.example', `/auth?sponsored=${token}`)).status).toBe(200);
    await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, { isActive: false });
    expect((await signUp('emil@by-link.example', `/auth?sponsored=${token}`)).status).toBe(403);
  });

  it('an invitation opens sign-up for the address that is invited', async () => {
    const owner = await app.organization();
    const { token } = await invite(
      await signIn(app, owner.administratorId),
      'invited@by-link.example',
    );
    expect((await signUp('other@by-link.example', `/auth?invitation=${token}`)).status).toBe(403);
    expect((await signUp('Invited@by-link.example', `/auth?invitation=${token}`)).status).toBe(200);
  });
});
