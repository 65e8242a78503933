import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../support/sign-in.ts';

const strangersPassword = 'chosen by a stranger';
const ownPassword = 'chosen by the mailbox owner';
const names = { firstName: 'Grace', lastName: 'Hopper' };
const organizationsOf = '{ viewer { memberships { organization { id } } } }';
const who = '{ viewer { person { email firstName lastName emailVerified hasPassword } } }';

let app: TestApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
let owner: TestOrganization;
beforeAll(async () => {
  mail = await receiveMail();
  app = await testApp({ EMAIL_VERIFICATION: 'required', ...mail.settings });
  owner = await app.organization();
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const signUp = (email: string, chosen = strangersPassword) =>
  postJson(app, '/auth/sign-up/email', {
    email,
    password: chosen,
    firstName: 'Mallory',
    lastName: 'Stranger',
  });
const signInWith = async (email: string, chosen: string) =>
  (await postJson(app, '/auth/sign-in/email', { email, password: chosen })).status;
const open = (
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
const hasSession = (answer: Answer) =>
  answer.headers.getSetCookie().some((line) => line.startsWith('atrium.session_token='));

/** A stranger signs up with somebody else's address; the owner of the mailbox opens the link. */
async function strangerSignsUp(email: string): Promise<URL> {
  expect((await signUp(email)).body).toEqual({ signedIn: false });
  return linkIn(await mail.next(email));
}

async function expectOwnPasswordOnly(email: string, link: URL): Promise<Answer> {
  const opened = await open(link);
  expect({ body: opened.body, signedIn: hasSession(opened) }).toEqual({
    body: { signedIn: false, needsPassword: true, needsName: true, email },
    signedIn: false,
  });
  expect(await signInWith(email, strangersPassword)).toBe(401);
  const finished = await open(link, { password: ownPassword, ...names });
  expect(finished.body).toEqual({ signedIn: true, callbackPath: '/' });
  expect(await signInWith(email, strangersPassword)).toBe(401);
  expect(await signInWith(email, ownPassword)).toBe(200);
  return finished;
}

describe('a confirmation link that another browser asked for', () => {
  it('makes a new account with the password that is chosen on its page, and never with the one from the sign-up', async () => {
    const link = await strangerSignsUp('new@victim.example');
    const finished = await expectOwnPasswordOnly('new@victim.example', link);
    const person = {
      email: 'new@victim.example',
      ...names,
      emailVerified: true,
      hasPassword: true,
    };
    expect((await sessionWith(app, cookieOf(finished)).graph(who)).data).toEqual({
      viewer: { person },
    });
    expect((await open(link, { password: ownPassword, ...names })).status).toBe(404);
  });

  it('opens an account that an organization made with the password that is chosen on its page', async () => {
    await owner.manage('POST', '/users', { email: 'provisioned@victim.example' });
    const finished = await expectOwnPasswordOnly(
      'provisioned@victim.example',
      await strangerSignsUp('provisioned@victim.example'),
    );
    expect((await sessionWith(app, cookieOf(finished)).graph(organizationsOf)).data).toEqual({
      viewer: { memberships: [{ organization: { id: owner.id } }] },
    });
  });

  it('is not sent for an account that signs in with another site only: the mail says that there is an account', async () => {
    const { id } = await owner.member('sso@victim.example');
    await app.database.prisma.account.updateMany({
      where: { userId: id },
      data: { providerId: 'oidc', accountId: 'sso', password: null },
    });
    await signUp('sso@victim.example');
    const { subject, text } = await mail.next('sso@victim.example');
    expect(subject).toBe('You have an account already');
    expect(text).not.toContain('token=');
    expect(
      await app.database.prisma.account.findMany({
        where: { userId: id },
        select: { providerId: true },
      }),
    ).toEqual([{ providerId: 'oidc' }]);
  });

  it('changes nothing where the account was claimed in the meantime', async () => {
    const link = await strangerSignsUp('meantime@victim.example');
    const { id } = await owner.member('meantime@victim.example');
    await givePassword(app, id);
    for (const chosen of [{}, { password: ownPassword, ...names }]) {
      expect(await open(link, chosen)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', reason: 'ACCOUNT_EXISTS' },
      });
    }
    expect(await signInWith('meantime@victim.example', password)).toBe(200);
  });

  it('asks again where the password or the name is missing or wrong, and is not spent by that', async () => {
    const link = await strangerSignsUp('faults@victim.example');
    for (const refused of ['short', '1234567890', 'faults@victim.example', 'GraceHopper1']) {
      expect(await open(link, { password: refused, ...names })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      });
    }
    expect(await open(link, { password: ownPassword })).toMatchObject({
      status: 400,
      body: { fields: { firstName: expect.any(String) } },
    });
    expect((await open(link, { password: ownPassword, ...names })).status).toBe(200);
  });

  it('does not take the nonce of a third browser, nor an empty one', async () => {
    const link = await strangerSignsUp('third@victim.example');
    const other = cookieOf(await signUp('else@victim.example', ownPassword));
    for (const cookie of [other, 'atrium.browser=', `atrium.browser=${'x'.repeat(43)}`]) {
      expect((await open(link, { cookie })).body).toMatchObject({ needsPassword: true });
    }
  });
});

describe('a link that confirms the address of an account from before', () => {
  const unclaimed = async (email: string) => {
    const { id } = await owner.member(email);
    await givePassword(app, id);
    const { key } = await owner.userKey(id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    return { id, key };
  };
  const readUsers = (key: string) =>
    app.graph(key, '{ viewer { kind } }').then(({ answer }) => answer.status);

  it('keeps the password in the browser that has just shown it', async () => {
    const { id, key } = await unclaimed('same@before.example');
    const refused = await postJson(app, '/auth/sign-in/email', {
      email: 'same@before.example',
      password,
    });
    const link = linkIn(await mail.next('same@before.example'));
    expect((await open(link, { cookie: cookieOf(refused) })).body).toEqual({
      signedIn: true,
      callbackPath: '/',
    });
    expect(await signInWith('same@before.example', password)).toBe(200);
    expect(await readUsers(key)).toBe(200);
    expect(
      await app.database.prisma.user.findUnique({ where: { id }, select: { emailVerified: true } }),
    ).toEqual({ emailVerified: true });
  });

  it('ends the password, the sessions, the keys and the other links elsewhere, for their holder may be a stranger', async () => {
    const { id, key } = await unclaimed('elsewhere@before.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    const session = await signIn(app, id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    await postJson(app, '/auth/request-password-reset', { email: 'elsewhere@before.example' });
    const reset = linkIn(await mail.next('elsewhere@before.example'));
    // Whoever asks for the link without the password binds it to no browser, whatever cookie theirs
    // has.
    const begun = cookieOf(await signUp('unrelated@before.example'));
    await postJson(
      app,
      '/auth/send-verification-email',
      { email: 'elsewhere@before.example' },
      { cookie: begun, origin: 'http://atrium.test' },
    );
    const link = linkIn(await mail.next('elsewhere@before.example'));
    expect((await open(link, { cookie: begun })).body).toMatchObject({ needsPassword: true });
    expect(await readUsers(key)).toBe(200);
    expect((await open(link, { password: ownPassword, ...names })).body).toEqual({
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

  it('keeps everything in a browser that is signed in to the account', async () => {
    const { id, key } = await unclaimed('inside@before.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    const session = await signIn(app, id);
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    await postJson(app, '/auth/send-verification-email', { email: 'inside@before.example' });
    const link = linkIn(await mail.next('inside@before.example'));
    expect((await open(link, { cookie: session.cookie })).body).toEqual({
      signedIn: true,
      callbackPath: '/',
    });
    expect((await session.graph('{ viewer { person { emailVerified } } }')).data).toEqual({
      viewer: { person: { emailVerified: true } },
    });
    expect(await readUsers(key)).toBe(200);
  });

  it('works no more when the account has another address', async () => {
    const { id } = await unclaimed('moved@before.example');
    await postJson(app, '/auth/send-verification-email', { email: 'moved@before.example' });
    const link = linkIn(await mail.next('moved@before.example'));
    await app.database.prisma.user.update({
      where: { id },
      data: { email: 'there@before.example' },
    });
    expect((await open(link, { password: ownPassword, ...names })).status).toBe(404);
  });
});
