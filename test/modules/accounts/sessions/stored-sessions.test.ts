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

const dayMs = 86_400_000;
const viewerQuery = '{ viewer { kind } }';
let app: TestApp;
let owner: TestOrganization;
let personCount = 0;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  personCount += 1;
  return owner.member(`person-${personCount}@stored.example`);
}

const tokenIn = (cookie: string) =>
  /session_token=([^;.]+)/.exec(decodeURIComponent(cookie))?.[1] ?? '';
const sessionsOf = (userId: string, of: TestApp = app) =>
  of.database.prisma.session.findMany({ where: { userId } });
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

describe('a stored session', () => {
  it('A session is stored with the hash of its token, not with the token', async () => {
    const { id } = await person();
    const { cookie } = await signIn(app, id);
    const token = tokenIn(cookie);
    expect(token).toHaveLength(32);
    expect((await sessionsOf(id)).map((session) => session.token)).toEqual([
      hashSessionToken(token),
    ]);
  });

  it('The stored hash is rejected as a token', async () => {
    const { id } = await person();
    const { cookie } = await signIn(app, id);
    const [{ token = '' } = {}] = await sessionsOf(id);
    const forged = cookie.replace(encodeURIComponent(tokenIn(cookie)), encodeURIComponent(token));
    expect((await sessionWith(app, forged).graph(viewerQuery)).data).toEqual({ viewer: null });
  });

  it('A session is replaced when its browser signs in again, and deleted when it signs out', async () => {
    const { id } = await person();
    const { cookie } = await signIn(app, id);
    const email = await givePassword(app, id);
    const origin = 'http://atrium.test';
    const newSignIn = await postJson(
      app,
      '/auth/sign-in/email',
      { email, password },
      { cookie, origin },
    );
    const [session, ...others] = await sessionsOf(id);
    expect(others).toEqual([]);
    expect(session?.token).toBe(hashSessionToken(tokenIn(cookieOf(newSignIn))));
    await postJson(app, '/auth/sign-out', {}, { cookie: cookieOf(newSignIn), origin });
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('A session is renewed while it is used, but never beyond thirty days after its sign-in', async () => {
    const { id } = await person();
    const { cookie, graph } = await signIn(app, id);
    const createdAt = daysAgo(25);
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { createdAt, expiresAt: new Date(Date.now() + dayMs) },
    });
    expect(
      (await app.request('GET', '/auth/get-session', { headers: { cookie } })).body['user'],
    ).toMatchObject({ id });
    const [session] = await sessionsOf(id);
    expect(session?.expiresAt).toEqual(new Date(createdAt.getTime() + 30 * dayMs));
    expect((await graph(viewerQuery)).data).toEqual({ viewer: { kind: 'SESSION' } });
  });

  it('A session is rejected after thirty days, even if it was always used', async () => {
    const { id } = await person();
    const { cookie, graph } = await signIn(app, id);
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { createdAt: daysAgo(31), expiresAt: daysAgo(1) },
    });
    expect((await graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await app.request('GET', '/auth/get-session', { headers: { cookie } })).text).toBe(
      'null',
    );
  });

  it('The settings determine when a session ends', async () => {
    const strict = await testApp({ SESSION_IDLE_DAYS: '3', SESSION_DAYS_MAX: '2' });
    const { administratorId } = await strict.organization();
    await signIn(strict, administratorId);
    const [session] = await sessionsOf(administratorId, strict);
    const days = (Number(session?.expiresAt) - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(1.9);
    expect(days).toBeLessThanOrEqual(2);
    await strict.close();
  });
});
