import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOrganization, TestResponse } from '../../../support/app.ts';
import { linkIn } from '../../../support/mail.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const strangersPassword = 'chosen by a stranger';
const ownPassword = 'chosen by the mailbox owner';
const names = { firstName: 'Grace', lastName: 'Hopper' };
const organizationsOf = '{ viewer { memberships { organization { id } } } }';
const viewerQuery = '{ viewer { person { email firstName lastName emailVerified hasPassword } } }';

let app: MailApp;
let mail: MailApp['mail'];
let owner: TestOrganization;
beforeAll(async () => {
  app = await mailApp({ EMAIL_VERIFICATION: 'required' });
  ({ mail } = app);
  owner = await app.organization();
});
afterAll(() => app.close());

const signUp = (email: string, chosen = strangersPassword) =>
  postJson(app, '/auth/sign-up/email', {
    email,
    password: chosen,
    firstName: 'Mallory',
    lastName: 'Stranger',
  });
const signInWith = async (email: string, chosen: string) =>
  (await postJson(app, '/auth/sign-in/email', { email, password: chosen })).status;
const openLink = (
  link: URL,
  {
    cookie,
    ...chosen
  }: { cookie?: string; password?: string; firstName?: string; lastName?: string } = {},
) =>
  postJson(
    app,
    '/auth/verify-email',
    { token: link.searchParams.get('token'), ...chosen },
    cookie ? { cookie, origin: 'http://atrium.test' } : {},
  );
const hasSession = (answer: TestResponse) =>
  answer.headers.getSetCookie().some((line) => line.startsWith('atrium.session_token='));

/** A stranger signs up with somebody else's address; the owner of the mailbox opens the link. */
async function strangerSignsUp(email: string): Promise<URL> {
  expect((await signUp(email)).body).toEqual({ signedIn: false });
  return linkIn(await mail.next(email));
}

async function expectOwnPasswordOnly(email: string, link: URL): Promise<TestResponse> {
  const opened = await openLink(link);
  expect({ body: opened.body, signedIn: hasSession(opened) }).toEqual({
    body: { signedIn: false, needsPassword: true, needsName: true, email },
    signedIn: false,
  });
  expect(await signInWith(email, strangersPassword)).toBe(401);
  const finished = await openLink(link, { password: ownPassword, ...names });
  expect(finished.body).toEqual({ signedIn: true, callbackPath: '/' });
  expect(await signInWith(email, strangersPassword)).toBe(401);
  expect(await signInWith(email, ownPassword)).toBe(200);
  return finished;
}

describe('a confirmation link that is opened in another browser', () => {
  it('A new account gets the password that is chosen on the page of the link, never the password from the sign-up', async () => {
    const link = await strangerSignsUp('new@victim.example');
    const finished = await expectOwnPasswordOnly('new@victim.example', link);
    const person = {
      email: 'new@victim.example',
      ...names,
      emailVerified: true,
      hasPassword: true,
    };
    expect((await sessionWith(app, cookieOf(finished)).graph(viewerQuery)).data).toEqual({
      viewer: { person },
    });
    expect((await openLink(link, { password: ownPassword, ...names })).status).toBe(404);
  });

  it('An account that an organization created gets the password that is chosen on the page of the link', async () => {
    await owner.manage('POST', '/users', { email: 'provisioned@victim.example' });
    const finished = await expectOwnPasswordOnly(
      'provisioned@victim.example',
      await strangerSignsUp('provisioned@victim.example'),
    );
    expect((await sessionWith(app, cookieOf(finished)).graph(organizationsOf)).data).toEqual({
      viewer: { memberships: [{ organization: { id: owner.id } }] },
    });
  });

  it('An account that signs in only with a provider gets no link but a mail that says that there is an account', async () => {
    const { id } = await owner.member('sso@victim.example');
    await app.database.prisma.account.updateMany({
      where: { userId: id },
      data: { providerId: 'oidc', accountId: 'sso', password: null },
    });
    await signUp('sso@victim.example');
    const { subject, text } = await mail.next('sso@victim.example');
    expect(subject).toBe('You already have an account');
    expect(text).not.toContain('token=');
    expect(
      await app.database.prisma.account.findMany({
        where: { userId: id },
        select: { providerId: true },
      }),
    ).toEqual([{ providerId: 'oidc' }]);
  });

  it('A link changes nothing if the account was claimed in the meantime', async () => {
    const link = await strangerSignsUp('meantime@victim.example');
    const { id } = await owner.member('meantime@victim.example');
    await givePassword(app, id);
    for (const chosen of [{}, { password: ownPassword, ...names }]) {
      expect(await openLink(link, chosen)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', reason: 'ACCOUNT_EXISTS' },
      });
    }
    expect(await signInWith('meantime@victim.example', password)).toBe(200);
  });

  it('A missing or invalid password or name is requested again, and the link stays valid', async () => {
    const link = await strangerSignsUp('faults@victim.example');
    for (const password of ['short', '1234567890', 'faults@victim.example', 'GraceHopper1']) {
      expect(await openLink(link, { password, ...names })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      });
    }
    expect(await openLink(link, { password: ownPassword })).toMatchObject({
      status: 400,
      body: { fields: { firstName: expect.any(String) } },
    });
    expect((await openLink(link, { password: ownPassword, ...names })).status).toBe(200);
  });

  it('A link does not accept the nonce of a third browser or an empty nonce', async () => {
    const link = await strangerSignsUp('third@victim.example');
    const other = cookieOf(await signUp('else@victim.example', ownPassword));
    for (const cookie of [other, 'atrium.browser=', `atrium.browser=${'x'.repeat(43)}`]) {
      expect((await openLink(link, { cookie })).body).toMatchObject({ needsPassword: true });
    }
  });
});

describe('a link that confirms the address of an existing account', () => {
  const unclaimed = async (email: string) => {
    const { id } = await owner.member(email);
    await givePassword(app, id);
    const { key } = await owner.userKey(id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    return { id, key };
  };
  const readUsers = (key: string) =>
    app.graph(key, '{ viewer { kind } }').then(({ answer }) => answer.status);

  it('The password is kept in the browser in which it has just been entered', async () => {
    const { id, key } = await unclaimed('same@before.example');
    const signInAnswer = await postJson(app, '/auth/sign-in/email', {
      email: 'same@before.example',
      password,
    });
    const link = linkIn(await mail.next('same@before.example'));
    expect((await openLink(link, { cookie: cookieOf(signInAnswer) })).body).toEqual({
      signedIn: true,
      callbackPath: '/',
    });
    expect(await signInWith('same@before.example', password)).toBe(200);
    expect(await readUsers(key)).toBe(200);
    expect(
      await app.database.prisma.user.findUnique({ where: { id }, select: { emailVerified: true } }),
    ).toEqual({ emailVerified: true });
  });

  it('In any other browser the password, the sessions, the keys and the other links end, because their holder may be a stranger', async () => {
    const { id, key } = await unclaimed('elsewhere@before.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    const session = await signIn(app, id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    await postJson(app, '/auth/request-password-reset', { email: 'elsewhere@before.example' });
    const reset = linkIn(await mail.next('elsewhere@before.example'));
    // A link that is requested without the password is bound to no browser, whatever cookie the
    // browser has.
    const otherCookie = cookieOf(await signUp('unrelated@before.example'));
    await postJson(
      app,
      '/auth/send-verification-email',
      { email: 'elsewhere@before.example' },
      { cookie: otherCookie, origin: 'http://atrium.test' },
    );
    const link = linkIn(await mail.next('elsewhere@before.example'));
    expect((await openLink(link, { cookie: otherCookie })).body).toMatchObject({
      needsPassword: true,
    });
    expect(await readUsers(key)).toBe(200);
    expect((await openLink(link, { password: ownPassword, ...names })).body).toEqual({
      signedIn: true,
      callbackPath: '/',
    });
    expect(await signInWith('elsewhere@before.example', password)).toBe(401);
    expect(await signInWith('elsewhere@before.example', ownPassword)).toBe(200);
    expect((await session.graph('{ viewer { kind } }')).data).toEqual({ viewer: null });
    expect(await readUsers(key)).toBe(401);
    expect(
      (
        await postJson(app, '/auth/reset-password', {
          token: reset.searchParams.get('token'),
          password: strangersPassword,
        })
      ).status,
    ).toBe(404);
  });

  it('Everything is kept in a browser that is signed in to the account', async () => {
    const { id, key } = await unclaimed('inside@before.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    const session = await signIn(app, id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    await postJson(app, '/auth/send-verification-email', { email: 'inside@before.example' });
    const link = linkIn(await mail.next('inside@before.example'));
    expect((await openLink(link, { cookie: session.cookie })).body).toEqual({
      signedIn: true,
      callbackPath: '/',
    });
    expect((await session.graph('{ viewer { person { emailVerified } } }')).data).toEqual({
      viewer: { person: { emailVerified: true } },
    });
    expect(await readUsers(key)).toBe(200);
  });

  it('The link is invalid after the address of the account has changed', async () => {
    const { id } = await unclaimed('moved@before.example');
    await postJson(app, '/auth/send-verification-email', { email: 'moved@before.example' });
    const link = linkIn(await mail.next('moved@before.example'));
    await app.database.prisma.user.update({
      where: { id },
      data: { email: 'there@before.example' },
    });
    expect((await openLink(link, { password: ownPassword, ...names })).status).toBe(404);
  });
});
