import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { recordAuthenticationEvent } from '../../../src/modules/audit/record-authentication-event.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';
import { cookieOf, givePassword, password, postJson, signIn } from '../../support/sign-in.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0';
const headers = { 'user-agent': firefox };
let app: TestApp;
let owner: TestOrganization;
let server: ServedApp;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
  server = await serveApp(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

const entriesAbout = (userId: string, organizationId = owner.id) =>
  app.database.prisma.auditEntry.findMany({
    where: { organizationId, targetId: userId, targetType: 'User' },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
    omit: { position: true, txId: true },
  });

/** Background work after a response needs a moment. */
async function actionsAbout(userId: string, count: number): Promise<string[]> {
  for (let tried = 0; tried < 200; tried += 1) {
    const actions = (await entriesAbout(userId)).map(({ action }) => action);
    if (actions.length >= count) return actions;
    await pause(20);
  }
  return (await entriesAbout(userId)).map(({ action }) => action);
}

async function person(email: string) {
  const { id } = await owner.member(email);
  return { id, email: await givePassword(app, id) };
}

const send = (path: string, body: object, more: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers, ...more },
    body: JSON.stringify(body),
  });

describe('the audit entries of sign-ins', () => {
  it('A sign-in, a wrong password and a sign-out are recorded with network and device', async () => {
    const { id, email } = await person('events@events.example');
    expect(
      (await send('/auth/sign-in/email', { email, password: 'a wrong password' })).status,
    ).toBe(401);
    expect(await actionsAbout(id, 1)).toEqual(['fail-sign-in']);
    const answer = await send('/auth/sign-in/email', { email, password });
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    await send('/auth/sign-out', {}, { cookie });
    const entries = await entriesAbout(id);
    expect(
      entries.map(({ action, actorKind, actorUserId }) => [action, actorKind, actorUserId]),
    ).toEqual([
      ['fail-sign-in', 'SYSTEM', null],
      ['sign-in', 'SESSION', id],
      ['sign-out', 'SESSION', id],
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({
        network: '127.0.0.1',
        device: 'Firefox on Windows',
        requestId: expect.stringMatching(/^[\w-]{36}$/),
      });
    expect(JSON.stringify(entries)).not.toContain(password);
  });

  it('Wrong passwords for one account write at most 20 entries per hour', async () => {
    const { id, email } = await person('many@events.example');
    // Each application counts separately, so this tests the limit of the log.
    await Promise.all(
      Array.from({ length: 9 }, () =>
        postJson(app, '/auth/sign-in/email', { email, password: 'a wrong password' }),
      ),
    );
    expect(await actionsAbout(id, 9)).toHaveLength(9);
    const { contextParts } = app;
    for (let attempt = 9; attempt < 20; attempt += 1)
      await contextParts.limits.consume(`fail-sign-in-entries:${id}`, 20, 3_600);
    await postJson(app, '/auth/sign-in/email', { email, password: 'a wrong password' });
    await pause(1_000);
    expect(await entriesAbout(id)).toHaveLength(9);
  });

  it('A wrong password for an address without an account writes no entry', async () => {
    const before = await app.database.prisma.auditEntry.count();
    await postJson(app, '/auth/sign-in/email', { email: 'nobody@events.example', password });
    await pause(1_000);
    expect(await app.database.prisma.auditEntry.count()).toBe(before);
  });

  it('An event is written to every organization of the person and to no other', async () => {
    const [other, stranger] = [await app.organization(), await app.organization()];
    const { id } = await person('two@events.example');
    const { createdAt } = await app.database.prisma.user.findUniqueOrThrow({ where: { id } });
    await app.database.prisma.membership.create({
      data: {
        organizationId: other.id,
        userId: id,
        userCreatedAt: createdAt,
        acceptedAt: createdAt,
      },
    });
    const client = { network: '192.0.2.1', device: 'curl' };
    await inTransaction(app.database, (tx) =>
      recordAuthenticationEvent(tx, { action: 'sign-in', userId: id, client }, new Date()),
    );
    const counts = [owner, other, stranger].map(
      async (organization) => (await entriesAbout(id, organization.id)).length,
    );
    expect(await Promise.all(counts)).toEqual([1, 1, 0]);
  });

  it('A changed password is recorded', async () => {
    const { id } = await person('change@events.example');
    const session = await signIn(app, id);
    await session.graph(
      `mutation { changePassword(input: { currentPassword: "${password}", newPassword: "another horse, another battery" }) { endedSessions } }`,
      {},
      headers,
    );
    const entry = (await entriesAbout(id)).find(({ action }) => action === 'change-password');
    expect(entry).toMatchObject({ actorUserId: id, device: 'Firefox on Windows' });
  });

  it('A change by platform support is recorded with its device', async () => {
    const { id, email } = await person('support@events.example');
    await setPlatformSupport({ email, isPlatformSupport: true }, { database: app.database });
    const session = await signIn(app, id);
    await giveSecondFactor(app, id);
    const { errors } = await session.graph(
      'mutation ($organizationId: ID!) { setOrganizationTerms(input: { organizationId: $organizationId, seatLimit: 50 }) { organizationId } }',
      { organizationId: owner.id },
      headers,
    );
    expect(errors).toEqual([]);
    const entry = await app.database.prisma.auditEntry.findFirst({
      where: { organizationId: owner.id, action: 'set-organization-terms' },
    });
    expect(entry).toMatchObject({ actorUserId: id, device: 'Firefox on Windows' });
  });
});

describe('the log line of a request', () => {
  const lines = () =>
    app.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');

  it('The line names the key of the request by its id, never by the key itself', async () => {
    await owner.manage('GET', '/users');
    expect(lines().at(-1)).toMatchObject({ operation: 'ListUsers', caller: `key:${owner.keyId}` });
    expect(app.logLines.join('')).not.toContain(owner.key);
  });

  it('The line names the person of a session, and nobody for an anonymous request', async () => {
    const { id, email } = await person('line@events.example');
    const session = await signIn(app, id);
    await session.graph('{ viewer { kind } }');
    expect(lines().at(-1)).toMatchObject({ caller: `user:${id}` });
    const answer = await postJson(app, '/auth/sign-in/email', { email, password });
    expect(lines().at(-1)).toMatchObject({ operation: 'SignIn', caller: `user:${id}` });
    await postJson(
      app,
      '/auth/sign-out',
      {},
      { cookie: cookieOf(answer), origin: 'http://atrium.test' },
    );
    expect(lines().at(-1)).toMatchObject({ operation: 'SignOut', caller: `user:${id}` });
    await app.request('GET', '/livez');
    expect(lines().at(-1)).not.toHaveProperty('caller');
  });
});
