import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnv } from '../../../../src/platform/env.ts';
import {
  type TestApp,
  type TestOrganization,
  type TestResponse,
  testApp,
} from '../../../support/app.ts';
import { invite } from '../../../support/invitations.ts';
import { linkIn } from '../../../support/mail.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import { partnerIn } from '../../../support/partner.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const address = '/auth/sign-up/email';
const viewerQuery =
  '{ viewer { person { email firstName lastName emailVerified hasPassword } organization { id } } }';
const person = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Amsel' });

describe('a sign-up', () => {
  let app: TestApp;
  let owner: TestOrganization;
  beforeAll(async () => {
    app = await testApp();
    owner = await app.organization();
  });
  afterAll(() => app.close());

  it('A sign-up creates an account without an organization and signs its owner in', async () => {
    const answer = await postJson(app, address, person(' Ada@BÜCHER.example '));
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    const { data } = await sessionWith(app, cookieOf(answer)).graph(viewerQuery);
    const { firstName, lastName } = person('');
    const expectedPerson = {
      email: 'ada@xn--bcher-kva.example',
      firstName,
      lastName,
      emailVerified: false,
      hasPassword: true,
    };
    expect(data).toEqual({ viewer: { person: expectedPerson, organization: null } });
    const user = await app.database.prisma.user.findUniqueOrThrow({
      where: { email: expectedPerson.email },
    });
    expect(user.lastLogin).toBeInstanceOf(Date);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email: 'ada@bücher.example', password }))
        .status,
    ).toBe(200);
  });

  it('An invalid sign-up names every invalid field and creates nothing', async () => {
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
  ])('A password of %s is measured in code points: %s answers %i', async (name, chosen, status) => {
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
  ])('The password %j is rejected because it is easy to guess', async (easy) => {
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

  it('A sign-up cannot take over an account, with a password or created by an organization', async () => {
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
    for (const [takenEmail, reason] of Object.entries(refusals)) {
      const { status, body, headers } = await postJson(app, address, {
        ...person(takenEmail),
        password: 'another password',
      });
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'CONFLICT', reason } });
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(await app.database.prisma.account.count({ where: { userId: passwordless } })).toBe(0);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('Concurrent sign-ups create one account, and all others are told that there is one', async () => {
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

  it('A sign-up from a page of another site is rejected', async () => {
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

  it('Without a mail server a sign-up sends no mail and leaves no personal data in the log', async () => {
    expect(
      (await postJson(app, '/auth/request-password-reset', { email: 'ada@sign-up.example' })).body,
    ).toMatchObject({ code: 'FEATURE_DISABLED' });
    expect(app.logLines.join('')).not.toMatch(/@sign-up\.example|a horse, a battery/);
  });
});

describe('a sign-up with email verification', () => {
  let app: MailApp;
  let mail: MailApp['mail'];
  beforeAll(async () => {
    app = await mailApp({ EMAIL_VERIFICATION: 'required' });
    ({ mail } = app);
  });
  afterAll(() => app.close());

  /** Opens a link in the browser with the cookies of this sign-up. */
  const verify = (link: URL, signUpAnswer: TestResponse) =>
    postJson(
      app,
      '/auth/verify-email',
      { token: link.searchParams.get('token') },
      { cookie: cookieOf(signUpAnswer), origin: 'http://atrium.test' },
    );

  it('The account is created when the link is opened, which signs in once and leads back to the page', async () => {
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
    expect((await sessionWith(app, cookieOf(verified)).graph(viewerQuery)).data).toMatchObject({
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

  it('A sign-up for an address with an account gets the same response, and the owner is informed by mail', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('known@confirm.example');
    const email = await givePassword(app, id);
    const answer = await postJson(app, address, { ...person(email), password: 'another password' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: false },
    });
    expect(await mail.next(email)).toMatchObject({ subject: 'You already have an account' });
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'another password' })).status,
    ).toBe(401);
  });

  it('An account that an organization created opens to the person who can read its mailbox, with the names of that person', async () => {
    const email = 'made@confirm.example';
    await app.database.prisma.user.create({
      data: { id: 'made', email, firstName: 'Grace', lastName: 'Hopper' },
    });
    const signUpAnswer = await postJson(app, address, person(email));
    const verified = await verify(linkIn(await mail.next(email)), signUpAnswer);
    const { data } = await sessionWith(app, cookieOf(verified)).graph(viewerQuery);
    expect(data).toMatchObject({
      viewer: {
        person: { firstName: 'Ada', lastName: 'Amsel', emailVerified: true, hasPassword: true },
      },
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('If two people sign up with one address, only the sign-up whose link is opened first counts', async () => {
    const email = 'twice@confirm.example';
    const signUpAnswer = await postJson(app, address, {
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
    expect((await verify(first, signUpAnswer)).status).toBe(404);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'the other password' }))
        .status,
    ).toBe(200);
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: 'the first password' }))
        .status,
    ).toBe(401);
  });

  it('Two links that are opened at the same time create one account, and only one of them signs in', async () => {
    const email = 'both@confirm.example';
    const signUpAnswer = await postJson(app, address, person(email));
    const first = linkIn(await mail.next(email));
    const begunAgain = await postJson(app, address, person(email));
    const answers = await Promise.all([
      verify(first, signUpAnswer),
      verify(linkIn(await mail.next(email)), begunAgain),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
    expect(await app.database.prisma.account.count({ where: { user: { email } } })).toBe(1);
  });

  it('The mails to one mailbox are limited, with and without an account', async () => {
    const email = 'flooded@confirm.example';
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await postJson(app, address, person(email))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('A person with an existing unverified account signs in after opening a link that is sent automatically', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('before@confirm.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const email = await givePassword(app, id);
    const wrong = await postJson(app, '/auth/sign-in/email', { email, password: 'wrong' });
    expect(wrong.status).toBe(401);
    const signInAnswer = await postJson(app, '/auth/sign-in/email', {
      email,
      password,
      callbackPath: '/settings',
    });
    expect(signInAnswer).toMatchObject({ status: 403, body: { reason: 'EMAIL_NOT_VERIFIED' } });
    expect(signInAnswer.headers.getSetCookie().join()).not.toContain('session_token');
    const link = linkIn(await mail.next(email));
    expect((await verify(link, signInAnswer)).body).toEqual({
      signedIn: true,
      callbackPath: '/settings',
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
    expect((await verify(link, signInAnswer)).status).toBe(404);
  });

  it('A link is sent again only to unverified accounts, and the response does not reveal which those are', async () => {
    const answers = await Promise.all(
      ['nobody@confirm.example', 'new@confirm.example'].map((email) =>
        postJson(app, '/auth/send-verification-email', { email }),
      ),
    );
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
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

  it('A link confirms the address but does not sign a person in to another account', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('moved-nowhere@confirm.example');
    const session = await signIn(app, id);
    const signUpAnswer = await postJson(app, address, person('other@confirm.example'));
    const token = linkIn(await mail.next('other@confirm.example')).searchParams.get('token');
    const answer = await postJson(
      app,
      '/auth/verify-email',
      { token },
      { cookie: `${session.cookie}; ${cookieOf(signUpAnswer)}`, origin: 'http://atrium.test' },
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

  it('A link expires after a day', async () => {
    const email = 'late@confirm.example';
    const signUpAnswer = await postJson(app, address, person(email));
    const link = linkIn(await mail.next(email));
    await app.database.prisma.verification.updateMany({
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await verify(link, signUpAnswer)).status).toBe(404);
  });

  it('The start fails unless the settings name a mail server', () => {
    expect(() => readEnv({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'required' })).toThrow(
      /EMAIL_VERIFICATION: required needs SMTP_URL or SIGN_IN_PROVIDERS/,
    );
    expect(
      readEnv({ NODE_ENV: 'development', EMAIL_VERIFICATION: 'required' }).EMAIL_VERIFICATION,
    ).toBe('required');
  });
});

describe('a sign-up by link only', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ SIGN_UP: 'by-link' });
  });
  afterAll(() => app.close());
  const signUp = (email: string, callbackPath = '/') =>
    postJson(app, address, { ...person(email), callbackPath });

  it('A sign-up without a link or with an invalid link is rejected', async () => {
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

  it('A sponsored link allows the sign-up of people whom its campaign admits', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ allowedEmailDomains: ['by-link.example'] });
    const { token } = await partner.link(campaign.id);
    expect((await signUp('ada@elsewhere.example', `/auth?sponsored=${token}`)).status).toBe(403);
    expect((await signUp('ada@by-link.example', `/auth?sponsored=${token}`)).status).toBe(200);
    await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, { isActive: false });
    expect((await signUp('emil@by-link.example', `/auth?sponsored=${token}`)).status).toBe(403);
  });

  it('An invitation allows the sign-up of the invited address', async () => {
    const owner = await app.organization();
    const { token } = await invite(
      await signIn(app, owner.administratorId),
      'invited@by-link.example',
    );
    expect((await signUp('other@by-link.example', `/auth?invitation=${token}`)).status).toBe(403);
    expect((await signUp('Invited@by-link.example', `/auth?invitation=${token}`)).status).toBe(200);
  });
});
