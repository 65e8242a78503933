import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import { invite } from '../../../support/invitations.ts';
import { linkIn } from '../../../support/mail.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import {
  cookieOf,
  postJson,
  sessionWith,
  signIn,
  type TestSession,
} from '../../../support/sign-in.ts';

const strangersPassword = 'chosen by a stranger';
const ownPassword = 'chosen by the mailbox owner';
const organizationsOf = '{ viewer { memberships { organization { id } } } }';
let app: MailApp;
let mail: MailApp['mail'];
let home: TestOrganization;
let partner: TestOrganization;
let administrator: TestSession;
beforeAll(async () => {
  app = await mailApp();
  ({ mail } = app);
  home = await app.organization();
  partner = await app.organization();
  administrator = await signIn(app, partner.administratorId);
});
afterAll(() => app.close());

const signUp = (email: string, password = strangersPassword, on: TestApp = app) =>
  postJson(on, '/auth/sign-up/email', {
    email,
    password,
    firstName: 'Mallory',
    lastName: 'Stranger',
  });
const signInWith = async (email: string, password: string) =>
  (await postJson(app, '/auth/sign-in/email', { email, password })).status;
const isOpen = async (key: string) =>
  (await app.graph(key, '{ viewer { kind } }')).answer.status === 200;

/**
 * Creates a stranger's account for this address with everything that can open it: a password, a
 * session, and a user key in the stranger's organization.
 */
async function strangersAccount(email: string) {
  const session = sessionWith(app, cookieOf(await signUp(email)));
  const { id, createdAt } = await app.database.prisma.user.findUniqueOrThrow({ where: { email } });
  await app.database.prisma.membership.create({
    data: { organizationId: home.id, userId: id, userCreatedAt: createdAt },
  });
  return { id, session, key: (await home.userKey(id)).key };
}

describe('an account with an unverified address', () => {
  it.each([
    [
      'POST /users',
      (email: string) => partner.manage('POST', '/users', { email }).then(({ status }) => status),
    ],
    [
      'POST /users/add',
      (email: string) =>
        partner.manage('POST', '/users/add', { email }).then(({ status }) => status),
    ],
    [
      'an invitation',
      (email: string) => invite(administrator, email).then(({ link }) => (link ? 200 : 500)),
    ],
  ])('An unclaimed account loses its password, sessions and keys by %s', async (way, bring) => {
    const email = `newhire-${way.replaceAll(/\W/g, '')}@partner.example`.toLowerCase();
    const { session, key } = await strangersAccount(email);
    expect([await isOpen(key), (await session.graph(organizationsOf)).data]).toEqual([
      true,
      { viewer: { memberships: [{ organization: { id: home.id } }] } },
    ]);
    expect(await bring(email)).toBe(200);
    expect([await isOpen(key), (await session.graph(organizationsOf)).data]).toEqual([
      false,
      { viewer: null },
    ]);
    expect(await signInWith(email, strangersPassword)).toBe(401);
    expect((await signUp(email)).headers.getSetCookie().join()).not.toContain('session_token');
    expect(await signInWith(email, strangersPassword)).toBe(401);
  });

  it('A claimed account keeps everything, and so does an unclaimed one if the organization is rejected', async () => {
    const claimed = await strangersAccount('claimed@partner.example');
    await app.database.prisma.user.update({
      where: { id: claimed.id },
      data: { emailVerified: true },
    });
    expect(
      (await partner.manage('POST', '/users', { email: 'claimed@partner.example' })).status,
    ).toBe(200);
    expect([
      await isOpen(claimed.key),
      await signInWith('claimed@partner.example', strangersPassword),
    ]).toEqual([true, 200]);
    const full = await app.organization({ seatLimit: 1 });
    const { key } = await strangersAccount('refused@partner.example');
    for (const path of ['/users', '/users/add'])
      expect((await full.manage('POST', path, { email: 'refused@partner.example' })).status).toBe(
        403,
      );
    expect((await home.manage('POST', '/users', { email: 'refused@partner.example' })).status).toBe(
      409,
    );
    expect([
      await isOpen(key),
      await signInWith('refused@partner.example', strangersPassword),
    ]).toEqual([true, 200]);
  });

  it('A password reset by mail claims the account, and everything of its previous holder is deleted', async () => {
    const email = 'reset@partner.example';
    const { id, session, key } = await strangersAccount(email);
    await app.database.prisma.account.create({
      data: { id: 'unproven', userId: id, providerId: 'oidc', accountId: 'strangers' },
    });
    await app.database.prisma.authenticatorApp.create({
      data: { id: 'unproven', userId: id, secret: 'none', confirmedAt: new Date() },
    });
    await app.database.prisma.user.update({ where: { id }, data: { secondFactorEnabled: true } });
    await postJson(app, '/auth/send-verification-email', { email });
    const verify = linkIn(await mail.next(email));
    await postJson(app, '/auth/request-password-reset', { email });
    const token = linkIn(await mail.next(email)).searchParams.get('token');
    const select = { secondFactorEnabled: true, authenticatorApps: { select: { id: true } } };
    expect(
      (await postJson(app, '/auth/reset-password', { token, password: ownPassword })).status,
    ).toBe(200);
    expect([await isOpen(key), (await session.graph(organizationsOf)).data]).toEqual([
      false,
      { viewer: null },
    ]);
    expect([
      await signInWith(email, strangersPassword),
      await signInWith(email, ownPassword),
    ]).toEqual([401, 200]);
    expect(
      await app.database.prisma.account.findMany({
        where: { userId: id },
        select: { providerId: true },
      }),
    ).toEqual([{ providerId: 'credential' }]);
    expect(await app.database.prisma.user.findUnique({ where: { id }, select })).toEqual({
      secondFactorEnabled: false,
      authenticatorApps: [],
    });
    expect(
      (
        await postJson(app, '/auth/verify-email', {
          token: verify.searchParams.get('token'),
          password: strangersPassword,
        })
      ).status,
    ).toBe(404);
  });
});

describe('an account that an organization created for an address', () => {
  it('A link in the mail opens the account to its owner, even if email verification is off', async () => {
    const email = 'someone@big.example';
    await partner.manage('POST', '/users', { email });
    const signUpAnswer = await signUp(email, ownPassword);
    expect({ status: signUpAnswer.status, body: signUpAnswer.body }).toEqual({
      status: 200,
      body: { signedIn: false },
    });
    expect(await signInWith(email, ownPassword)).toBe(401);
    const token = linkIn(await mail.next(email)).searchParams.get('token');
    const opened = await postJson(
      app,
      '/auth/verify-email',
      { token },
      { cookie: cookieOf(signUpAnswer), origin: 'http://atrium.test' },
    );
    expect(opened.body).toEqual({ signedIn: true, callbackPath: '/' });
    const { data } = await sessionWith(app, cookieOf(opened)).graph(organizationsOf);
    expect(data).toEqual({ viewer: { memberships: [{ organization: { id: partner.id } }] } });
    expect(await signInWith(email, ownPassword)).toBe(200);
  });

  it('A sign-up for the address is rejected if no mail can be sent, and the error says why', async () => {
    const silent = await testApp();
    await (await silent.organization()).manage('POST', '/users', { email: 'silent@big.example' });
    expect(await signUp('silent@big.example', strangersPassword, silent)).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        reason: 'NO_MAIL_FOR_PROOF',
        message: expect.stringContaining('sends no mail'),
      },
    });
    await silent.close();
  });
});

describe('concurrent requests for one account', () => {
  it('A sign-in and an organization that adds the address at the same time leave no session of a stranger', async () => {
    for (let round = 0; round < 4; round += 1) {
      const email = `race-${round}@partner.example`;
      await signUp(email);
      const { id } = await app.database.prisma.user.findUniqueOrThrow({ where: { email } });
      const signIns = Array.from({ length: 3 }, () => signInWith(email, strangersPassword));
      await partner.manage('POST', '/users', { email });
      await Promise.all(signIns);
      expect(await app.database.prisma.session.count({ where: { userId: id } })).toBe(0);
      expect(await app.database.prisma.account.count({ where: { userId: id } })).toBe(0);
    }
  });
});
