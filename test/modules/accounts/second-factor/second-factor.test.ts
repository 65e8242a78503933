import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, testApp } from '../../../support/app.ts';
import { linkIn } from '../../../support/mail.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import { codeOf, enrollApp, firstStep, secondStep } from '../../../support/second-factor.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const viewerQuery = '{ viewer { person { id } } }';
const standing = '{ secondFactor { authenticatorAppSince recoveryCodesLeft } }';
let app: MailApp;
let mail: MailApp['mail'];
let owner: TestOrganization;
let personCount = 0;

beforeAll(async () => {
  app = await mailApp();
  ({ mail } = app);
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  personCount += 1;
  return owner.member(`person-${personCount}@factor.example`);
}
const enrolled = async () => {
  const { id } = await person();
  return { id, ...(await enrollApp(app, id)) };
};
/** Returns the link of the next mail with this page. */
async function linkTo(page: string, email: string): Promise<URL> {
  for (;;) {
    const received = await mail.next(email);
    if (received.text?.includes(page)) return linkIn(received);
  }
}
const isSignedIn = async (cookie: string) =>
  (await sessionWith(app, cookie).graph<{ viewer: object | null }>(viewerQuery)).data?.viewer !==
  null;
const pendingOnly = { status: 200, body: { signedIn: false, secondFactor: true } };

describe('an account with an authenticator app', () => {
  it('The password alone creates no session; the code does', async () => {
    const { id, email, secret } = await enrolled();
    const { answer, cookie, verify } = await firstStep(app, email);
    expect(answer).toMatchObject(pendingOnly);
    expect(cookie).not.toContain('session_token');
    expect(await isSignedIn(cookie)).toBe(false);
    expect((await secondStep(app, cookie, 'options')).body).toEqual({ app: true, passkey: false });
    const done = await verify(codeOf(secret));
    expect({ status: done.status, body: done.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    expect((await sessionWith(app, cookieOf(done)).graph(viewerQuery)).data).toEqual({
      viewer: { person: { id } },
    });
  });

  it('A code is accepted once, even if two requests send it at the same time', async () => {
    const { email, secret } = await enrolled();
    const code = codeOf(secret);
    const [first, second] = [await firstStep(app, email), await firstStep(app, email)];
    const statuses = (await Promise.all([first.verify(code), second.verify(code)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 401]);
    const third = await firstStep(app, email);
    expect(await third.verify(code)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', reason: 'CODE_WRONG' },
    });
    expect((await third.verify(codeOf(secret, 1))).status).toBe(200);
  });

  it('An unfinished sign-in ends when it is used, after ten minutes, and in another browser', async () => {
    const { email, secret } = await enrolled();
    const { verify, cookie } = await firstStep(app, email);
    const other = await postJson(app, '/auth/second-factor/verify', { code: codeOf(secret) });
    expect(other).toMatchObject({ status: 401, body: { reason: 'SIGN_IN_EXPIRED' } });
    expect((await verify(codeOf(secret))).status).toBe(200);
    expect(
      (await secondStep(app, cookie, 'verify', { code: codeOf(secret, 1) })).body['reason'],
    ).toBe('SIGN_IN_EXPIRED');
    const expiredStep = await firstStep(app, email);
    const rows = { where: { identifier: { startsWith: 'second-factor:' } } };
    const { expiresAt } = await app.database.prisma.verification.findFirstOrThrow({
      ...rows,
      orderBy: { id: 'desc' },
    });
    expect(Number(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    await app.database.prisma.verification.updateMany({
      ...rows,
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await expiredStep.verify(codeOf(secret, 1))).body['reason']).toBe('SIGN_IN_EXPIRED');
  });

  it('A password reset does not sign in without the code', async () => {
    const { email, secret } = await enrolled();
    await postJson(app, '/auth/request-password-reset', { email });
    const link = await linkTo('/auth/reset?', email);
    const answer = await postJson(app, '/auth/reset-password', {
      token: link.searchParams.get('token'),
      password: 'a saddle, a bridle, a hoof',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { signedIn: false, secondFactor: true, callbackPath: '/' },
    });
    const cookie = cookieOf(answer);
    expect(await isSignedIn(cookie)).toBe(false);
    const done = await secondStep(app, cookie, 'verify', { code: codeOf(secret) });
    expect(await isSignedIn(cookieOf(done))).toBe(true);
  });

  it('A confirmation link does not sign in without the code', async () => {
    const strict = await testApp({ EMAIL_VERIFICATION: 'required', ...mail.settings });
    const { id } = await (await strict.organization()).member('unproven@factor.example');
    const { email } = await enrollApp(strict, id);
    await strict.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const { cookie } = await firstStep(strict, email);
    const token = (await linkTo('/auth/verify?', email)).searchParams.get('token');
    const answer = await postJson(
      strict,
      '/auth/verify-email',
      { token },
      { cookie, origin: 'http://atrium.test' },
    );
    expect(answer.body).toMatchObject({ signedIn: false, secondFactor: true });
    expect((await sessionWith(strict, cookieOf(answer)).graph(viewerQuery)).data).toEqual({
      viewer: null,
    });
    await strict.close();
  });

  it('Each recovery code signs in once', async () => {
    const { email, session, recoveryCodes } = await enrolled();
    expect(recoveryCodes).toHaveLength(10);
    expect(
      new Set(recoveryCodes.map((code) => /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code))),
    ).toEqual(new Set([true]));
    const [code = '', other = ''] = recoveryCodes;
    expect(
      (await (await firstStep(app, email)).verify(code.toLowerCase().replaceAll('-', ' '))).status,
    ).toBe(200);
    expect((await (await firstStep(app, email)).verify(code)).body['reason']).toBe('CODE_WRONG');
    expect((await session.graph(standing)).data).toMatchObject({
      secondFactor: { recoveryCodesLeft: 9 },
    });
    const renewed = await session.graph<{ renewRecoveryCodes: { recoveryCodes: string[] } }>(
      'mutation { renewRecoveryCodes(input: {}) { recoveryCodes } }',
    );
    expect((await (await firstStep(app, email)).verify(other)).body['reason']).toBe('CODE_WRONG');
    expect(
      (
        await (
          await firstStep(app, email)
        ).verify(renewed.data?.renewRecoveryCodes.recoveryCodes[0] ?? '')
      ).status,
    ).toBe(200);
    expect(JSON.stringify(await app.database.prisma.recoveryCode.findMany())).not.toContain(other);
  });

  it('An account accepts ten guesses of codes in 15 minutes, from all browsers together', async () => {
    const { email, secret } = await enrolled();
    const steps = [await firstStep(app, email), await firstStep(app, email)];
    const statuses = [];
    // The enrollment used one attempt.
    for (let attempt = 0; attempt < 10; attempt += 1)
      statuses.push((await steps[attempt % 2]?.verify('000000'))?.status);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429]);
    const refused = await steps[0]?.verify(codeOf(secret));
    expect(refused).toMatchObject({
      status: 429,
      body: {
        ...{ code: 'RATE_LIMITED', reason: 'TOO_MANY_CODES' },
        message: 'Too many codes were tried. Please wait 15 minutes, or use a passkey',
      },
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('The secret is encrypted in the database and absent from the log', async () => {
    const { secret, recoveryCodes } = await enrolled();
    expect(JSON.stringify(await app.database.prisma.authenticatorApp.findMany())).not.toContain(
      secret,
    );
    for (const hidden of [secret, ...recoveryCodes])
      expect(app.logLines.join('')).not.toContain(hidden);
  });
});

describe('the audit log of second factors', () => {
  it('Setting up, using, failing and removing second factors is recorded in the audit log', async () => {
    const { id, email, session, secret, recoveryCodes } = await enrolled();
    const { verify } = await firstStep(app, email);
    await verify('000000');
    await verify(codeOf(secret));
    await (await firstStep(app, email)).verify(recoveryCodes[0] ?? '');
    await session.graph('mutation { renewRecoveryCodes(input: {}) { recoveryCodes } }');
    await session.graph(
      'mutation { removeAuthenticatorApp(input: {}) { secondFactor { authenticatorAppSince } } }',
    );
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: owner.id, targetId: id },
      orderBy: { id: 'asc' },
    });
    expect(
      entries
        .filter(({ action }) => !action.startsWith('sign'))
        .map(({ action, actorUserId }) => [action, actorUserId]),
    ).toEqual([
      ['add-authenticator-app', id],
      ['fail-second-factor', null],
      ['use-second-factor', id],
      ['use-recovery-code', id],
      ['renew-recovery-codes', id],
      ['remove-authenticator-app', id],
    ]);
  });
});

describe('the set-up of an authenticator app', () => {
  it('The set-up ends all other sessions, keeps the current one, and informs the owner by mail', async () => {
    const { id } = await person();
    const before = await signIn(app, id);
    const { session, email } = await enrollApp(app, id);
    expect((await before.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await session.graph(viewerQuery)).data).toEqual({ viewer: { person: { id } } });
    await expect
      .poll(() =>
        mail.mails.filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject),
      )
      .toContain('Your second factor was changed');
  });

  it('Adding and removing an app needs a sign-in of the last ten minutes or the password', async () => {
    const { id, session, email, secret } = await enrolled();
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { authenticatedAt: new Date(Date.now() - 601_000) },
    });
    for (const field of [
      'startAuthenticatorApp(input: {}) { authenticatorApp { secret } }',
      'removeAuthenticatorApp(input: {}) { clientMutationId }',
      'renewRecoveryCodes(input: {}) { recoveryCodes }',
    ]) {
      const { code, errors } = await session.graph(`mutation { ${field} }`);
      expect([code, errors[0]?.extensions?.reason]).toEqual(['FORBIDDEN', 'SIGN_IN_NOT_RECENT']);
    }
    const confirm = (typed: string) =>
      session.graph(
        'mutation ($password: String!) { confirmPassword(input: { password: $password }) { success } }',
        { password: typed },
      );
    expect((await confirm('wrong')).errors[0]?.extensions?.reason).toBe('PASSWORD_WRONG');
    expect((await confirm(password)).data).toEqual({ confirmPassword: { success: true } });
    expect(
      (
        await session.graph(
          'mutation { removeAuthenticatorApp(input: {}) { secondFactor { authenticatorAppSince } } }',
        )
      ).data,
    ).toEqual({
      removeAuthenticatorApp: { secondFactor: { authenticatorAppSince: null } },
    });
    expect((await session.graph(standing)).data).toEqual({
      secondFactor: { authenticatorAppSince: null, recoveryCodesLeft: 0 },
    });
    expect((await firstStep(app, email)).answer.body).toEqual({ signedIn: true });
    expect(secret).not.toBe('');
  });

  it('The account does not change until a right code is entered', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    const start = () =>
      session.graph<{ startAuthenticatorApp: { authenticatorApp: { secret: string } } }>(
        'mutation { startAuthenticatorApp(input: {}) { authenticatorApp { secret } } }',
      );
    const confirm = (code: string) =>
      session.graph(
        'mutation ($code: String!) { confirmAuthenticatorApp(input: { code: $code }) { recoveryCodes } }',
        { code },
      );
    expect((await confirm('123456')).code).toBe('NOT_FOUND');
    const old = (await start()).data?.startAuthenticatorApp.authenticatorApp.secret ?? '';
    const secret = (await start()).data?.startAuthenticatorApp.authenticatorApp.secret ?? '';
    expect((await confirm(codeOf(old))).errors[0]?.extensions?.reason).toBe('CODE_WRONG');
    expect((await firstStep(app, await givePassword(app, id))).answer.body).toEqual({
      signedIn: true,
    });
    expect((await confirm(codeOf(secret))).data).toEqual({
      confirmAuthenticatorApp: { recoveryCodes: expect.any(Array) },
    });
    // The second app replaces the first, and the recovery codes stay valid.
    const next = (await start()).data?.startAuthenticatorApp.authenticatorApp.secret ?? '';
    expect((await confirm(codeOf(next))).data).toEqual({
      confirmAuthenticatorApp: { recoveryCodes: [] },
    });
    expect(await app.database.prisma.authenticatorApp.count({ where: { userId: id } })).toBe(1);
  });

  it('API keys cannot set up an authenticator app', async () => {
    const key = await owner.keyOf('USER_KEY');
    for (const query of [
      standing,
      'mutation { startAuthenticatorApp(input: {}) { authenticatorApp { secret } } }',
      'mutation { removeAuthenticatorApp(input: {}) { secondFactor { authenticatorAppSince } } }',
    ]) {
      expect((await app.graph(key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
    }
  });
});
