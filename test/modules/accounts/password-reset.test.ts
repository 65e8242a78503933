import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../support/sign-in.ts';

const who = '{ viewer { person { id emailVerified } } }';
const chosen = 'a saddle, a bridle, a hoof';
let app: TestApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
let owner: TestOrganization;
let made = 0;

beforeAll(async () => {
  mail = await receiveMail();
  app = await testApp(mail.settings);
  owner = await app.organization();
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

async function person() {
  made += 1;
  const { id } = await owner.member(`person-${made}@reset.example`);
  return { id, email: await givePassword(app, id) };
}
const ask = (email: unknown, more: object = {}) =>
  postJson(app, '/auth/request-password-reset', { email, ...more });
const reset = (link: URL, to = chosen) =>
  postJson(app, '/auth/reset-password', { token: link.searchParams.get('token'), password: to });
const asked = async (email: string, more: object = {}) => {
  expect((await ask(email, more)).status).toBe(200);
  return linkIn(await mail.next(email));
};

describe('a forgotten password', () => {
  it('is replaced by who reads the mailbox: signed in, with the address confirmed, back where they came from', async () => {
    const { id, email } = await person();
    const link = await asked(email, { callbackPath: '/auth?invitation=abc' });
    expect(link.origin + link.pathname).toBe('http://atrium.test/auth/reset');
    const answer = await reset(link);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true, callbackPath: '/auth?invitation=abc' },
    });
    expect((await sessionWith(app, cookieOf(answer)).graph(who)).data).toEqual({
      viewer: { person: { id, emailVerified: true } },
    });
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(401);
    expect((await postJson(app, '/auth/sign-in/email', { email, password: chosen })).status).toBe(
      200,
    );
    expect(await mail.next(email)).toMatchObject({ subject: 'Your password was changed' });
  });

  it('is replaced once for each link, and the others end with it, as does every session', async () => {
    const { id, email } = await person();
    const session = await signIn(app, id);
    const [first, second] = [await asked(email), await asked(email)];
    const answers = await Promise.all([reset(second), reset(second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    for (const link of [first, second])
      expect(await reset(link)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', reason: 'LINK_NOT_VALID' },
      });
    expect((await session.graph(who)).data).toEqual({ viewer: null });
  });

  it('lets somebody in whose account an organization made without one', async () => {
    const { body } = await owner.manage('POST', '/users', { email: 'made@reset.example' });
    expect(body).toMatchObject({ isNewUser: true });
    const answer = await reset(await asked('made@reset.example'));
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

  it('keeps its link after a password that is too short or easy to guess', async () => {
    const { email } = await person();
    const link = await asked(email);
    for (const refused of ['short', 'qwertyuiop', email]) {
      expect(await reset(link, refused)).toMatchObject({
        status: 400,
        body: { code: 'BAD_INPUT', fields: { password: expect.any(String) } },
      });
    }
    expect((await reset(link)).status).toBe(200);
  });

  it('ends its link after an hour', async () => {
    const link = await asked((await person()).email);
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

  it('tells strangers nothing of who has an account, and refuses a way back that leads elsewhere', async () => {
    const { email } = await person();
    const told = [await ask(email), await ask('nobody@reset.example')];
    expect(new Set(told.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(
      await app.database.prisma.verification.count({ where: { value: { contains: 'nobody' } } }),
    ).toBe(0);
    expect(await ask('no address')).toMatchObject({
      status: 400,
      body: { fields: { email: expect.any(String) } },
    });
    expect((await ask(email, { callbackPath: 'https://evil.example/' })).status).toBe(400);
  });

  it('opens no other kind of link', async () => {
    const link = await asked((await person()).email);
    expect(
      (await postJson(app, '/auth/verify-email', { token: link.searchParams.get('token') })).status,
    ).toBe(404);
    for (const token of ['', 'x', 'setup', null, { startsWith: '' }]) {
      expect(
        (await postJson(app, '/auth/reset-password', { token, password: chosen })).status,
      ).toBeGreaterThanOrEqual(400);
    }
  });

  it('is asked for five times an hour for one mailbox, and not by pages of other sites', async () => {
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
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await ask(email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('leaves no secret in the log or the database', async () => {
    const link = await asked((await person()).email);
    const secret = link.searchParams.get('token') ?? 'none';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await app.database.prisma.verification.findMany())).not.toContain(secret);
    await reset(link);
    expect(app.logLines.join('')).not.toMatch(new RegExp(`${secret}|${chosen}|@reset\\.example`));
    expect(app.logLines.join('')).toContain('ResetPassword');
  });

  it('is asked for by somebody whom a mail server that is away keeps waiting for nothing', async () => {
    const away = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@mail.example' });
    const { administratorId } = await away.organization();
    const email = await givePassword(away, administratorId);
    expect((await postJson(away, '/auth/request-password-reset', { email })).body).toEqual({
      sent: true,
    });
    await expect.poll(() => away.logLines.join('')).toContain('is tried again');
    expect(away.logLines.join('')).not.toContain(email);
    await away.close();
  });
});
