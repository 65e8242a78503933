import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, testApp } from '../../../support/app.ts';
import { linkIn, receiveMail } from '../../../support/mail.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

const viewerQuery = '{ viewer { person { id emailVerified } } }';
const chosen = 'a saddle, a bridle, a hoof';
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
  const { id } = await owner.member(`person-${personCount}@reset.example`);
  return { id, email: await givePassword(app, id) };
}
const ask = (email: unknown, more: object = {}) =>
  postJson(app, '/auth/request-password-reset', { email, ...more });
const reset = (link: URL, to = chosen) =>
  postJson(app, '/auth/reset-password', { token: link.searchParams.get('token'), password: to });
const requestLink = async (email: string, more: object = {}) => {
  expect((await ask(email, more)).status).toBe(200);
  return linkIn(await mail.next(email));
};

describe('a password reset', () => {
  it('A reset by the reader of the mailbox signs in, confirms the address and leads back to the page', async () => {
    const { id, email } = await person();
    const link = await requestLink(email, { callbackPath: '/auth?invitation=abc' });
    expect(link.origin + link.pathname).toBe('http://atrium.test/auth/reset');
    const answer = await reset(link);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true, callbackPath: '/auth?invitation=abc' },
    });
    expect((await sessionWith(app, cookieOf(answer)).graph(viewerQuery)).data).toEqual({
      viewer: { person: { id, emailVerified: true } },
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(401);
    expect((await postJson(app, '/auth/sign-in/email', { email, password: chosen })).status).toBe(
      200,
    );
    expect(await mail.next(email)).toMatchObject({ subject: 'Your password was changed' });
  });

  it('A reset link works once and ends all other reset links and every session', async () => {
    const { id, email } = await person();
    const session = await signIn(app, id);
    const [first, second] = [await requestLink(email), await requestLink(email)];
    const answers = await Promise.all([reset(second), reset(second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    for (const link of [first, second])
      expect(await reset(link)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', reason: 'LINK_NOT_VALID' },
      });
    expect((await session.graph(viewerQuery)).data).toEqual({ viewer: null });
  });

  it('A reset opens an account that an organization created without a password', async () => {
    const { body } = await owner.manage('POST', '/users', { email: 'made@reset.example' });
    expect(body).toMatchObject({ isNewUser: true });
    const answer = await reset(await requestLink('made@reset.example'));
    expect(
      (
        await sessionWith(app, cookieOf(answer)).graph(
          '{ organization { id } }',
          {},
          { 'x-atrium-organization': owner.id },
        )
      ).data,
    ).toEqual({
      organization: { id: owner.id },
    });
  });

  it('A link stays valid after a password that is too short or easy to guess', async () => {
    const { email } = await person();
    const link = await requestLink(email);
    for (const password of ['short', 'qwertyuiop', email]) {
      expect(await reset(link, password)).toMatchObject({
        status: 400,
        body: { code: 'BAD_INPUT', fields: { password: expect.any(String) } },
      });
    }
    expect((await reset(link)).status).toBe(200);
  });

  it('A link expires after an hour', async () => {
    const link = await requestLink((await person()).email);
    const row = await app.database.prisma.verification.findFirstOrThrow({
      where: { identifier: { startsWith: 'reset-password:' } },
      orderBy: { id: 'desc' },
    });
    expect(Number(row.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    await app.database.prisma.verification.update({
      where: { id: row.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await reset(link)).status).toBe(404);
  });

  it('The request for a link reveals nothing about accounts and rejects a return path to another site', async () => {
    const { email } = await person();
    const answers = [await ask(email), await ask('nobody@reset.example')];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(
      await app.database.prisma.verification.count({ where: { value: { contains: 'nobody' } } }),
    ).toBe(0);
    expect(await ask('no address')).toMatchObject({
      status: 400,
      body: { fields: { email: expect.any(String) } },
    });
    expect((await ask(email, { callbackPath: 'https://evil.example/' })).status).toBe(400);
  });

  it('A reset link cannot be used as another kind of link', async () => {
    const link = await requestLink((await person()).email);
    expect(
      (await postJson(app, '/auth/verify-email', { token: link.searchParams.get('token') })).status,
    ).toBe(404);
    for (const token of ['', 'x', 'setup', null, { startsWith: '' }]) {
      expect(
        (await postJson(app, '/auth/reset-password', { token, password: chosen })).status,
      ).toBeGreaterThanOrEqual(400);
    }
  });

  it('A mailbox gets five links per hour, and pages of other sites cannot request one', async () => {
    const { email } = await person();
    expect(
      (
        await postJson(
          app,
          '/auth/request-password-reset',
          { email },
          { origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403);
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await ask(email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('Neither the log nor the database contains the secret of a link', async () => {
    const link = await requestLink((await person()).email);
    const secret = link.searchParams.get('token') ?? 'none';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await app.database.prisma.verification.findMany())).not.toContain(secret);
    await reset(link);
    expect(app.logLines.join('')).not.toMatch(new RegExp(`${secret}|${chosen}|@reset\\.example`));
    expect(app.logLines.join('')).toContain('ResetPassword');
  });

  it('An unreachable mail server does not delay the request for a link', async () => {
    const unreachableMailApp = await testApp({
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@mail.example',
    });
    const { administratorId } = await unreachableMailApp.organization();
    const email = await givePassword(unreachableMailApp, administratorId);
    expect(
      (await postJson(unreachableMailApp, '/auth/request-password-reset', { email })).body,
    ).toEqual({
      sent: true,
    });
    await expect.poll(() => unreachableMailApp.logLines.join('')).toContain('will be retried');
    expect(unreachableMailApp.logLines.join('')).not.toContain(email);
    await unreachableMailApp.close();
  });
});

it('An email that was requested right before the process ends is sent', async () => {
  const mailServer = await receiveMail();
  const ending = await testApp(mailServer.settings);
  const { id } = await (await ending.organization()).member('ending@reset.example');
  const email = await givePassword(ending, id);
  const { prisma } = ending.database;
  await prisma.$executeRawUnsafe(
    'create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$',
  );
  await prisma.$executeRawUnsafe(
    'create trigger slow before insert on audit_entries for each row execute function slow()',
  );
  expect((await postJson(ending, '/auth/request-password-reset', { email })).status).toBe(200);
  await ending.close();
  expect(mailServer.mails.map(({ to }) => to?.[0]?.address)).toEqual([email]);
  await mailServer.close();
});
