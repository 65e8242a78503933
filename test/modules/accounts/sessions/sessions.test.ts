import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../../support/sign-in.ts';

type SessionListResult = {
  sessions: { id: string; device: string; isCurrent: boolean; lastUsedAt: string }[];
};
const list = '{ sessions { id device address isCurrent createdAt lastUsedAt } }';
const viewerQuery = '{ viewer { person { id } } }';
const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { endedSessionId } }';
const change =
  'mutation ($currentPassword: String!, $newPassword: String!, $signOutElsewhere: Boolean!) { result: changePassword(input: { currentPassword: $currentPassword, newPassword: $newPassword, signOutElsewhere: $signOutElsewhere }) { endedSessions } }';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const now = Date.now();
let app: TestApp;
let owner: TestOrganization;
let personCount = 0;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { clock: () => new Date(now) });
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  personCount += 1;
  const { id } = await owner.member(`person-${personCount}@sessions.example`);
  return { id, email: await givePassword(app, id) };
}
const signInWith = async (email: string, userAgent: string, secret = password) =>
  sessionWith(
    app,
    cookieOf(
      await postJson(
        app,
        '/auth/sign-in/email',
        { email, password: secret },
        { 'user-agent': userAgent },
      ),
    ),
  );

describe('the sessions of a person', () => {
  it('Sessions are listed with a device name, with the current one marked, and without tokens', async () => {
    const { id, email } = await person();
    const currentSession = await signInWith(email, firefox);
    await signInWith(email, 'something/1.0');
    const { data } = await currentSession.graph<SessionListResult>(list);
    expect(data?.sessions.map(({ device, isCurrent }) => ({ device, isCurrent }))).toEqual(
      expect.arrayContaining([
        { device: 'Firefox on Windows', isCurrent: true },
        { device: 'An unknown device', isCurrent: false },
      ]),
    );
    const tokens = await app.database.prisma.session.findMany({
      where: { userId: id },
      select: { token: true },
    });
    for (const { token } of tokens) expect(JSON.stringify(data)).not.toContain(token);
    expect((await currentSession.graph('{ sessions { token } }')).errors).toHaveLength(1);
  });

  it('A session can be revoked at once', async () => {
    const { id } = await person();
    const [currentSession, otherSession] = [await signIn(app, id), await signIn(app, id)];
    const { data } = await currentSession.graph<SessionListResult>(list);
    const other = data?.sessions.find(({ isCurrent }) => !isCurrent);
    expect((await currentSession.graph(revoke, { id: other?.id })).data).toEqual({
      revokeSession: { endedSessionId: other?.id },
    });
    expect((await otherSession.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await currentSession.graph(revoke, { id: other?.id })).code).toBe('NOT_FOUND');
    expect((await currentSession.graph(viewerQuery)).data).toEqual({ viewer: { person: { id } } });
  });

  it('A session of another person is not found', async () => {
    const [ownSession, foreignSession] = [
      await signIn(app, (await person()).id),
      await signIn(app, (await person()).id),
    ];
    const { data } = await foreignSession.graph<SessionListResult>(list);
    expect((await ownSession.graph(revoke, { id: data?.sessions[0]?.id })).code).toBe('NOT_FOUND');
    expect((await ownSession.graph(revoke, { id: 'nothing' })).code).toBe('NOT_FOUND');
    expect((await foreignSession.graph<SessionListResult>(list)).data?.sessions).toHaveLength(1);
  });

  it('All sessions except the current one can be revoked', async () => {
    const { id } = await person();
    const [currentSession, ...others] = [
      await signIn(app, id),
      await signIn(app, id),
      await signIn(app, id),
    ];
    expect(
      (await currentSession.graph('mutation { revokeOtherSessions(input: {}) { endedSessions } }'))
        .data,
    ).toEqual({
      revokeOtherSessions: { endedSessions: 2 },
    });
    for (const other of others)
      expect((await other.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await currentSession.graph<SessionListResult>(list)).data?.sessions).toHaveLength(1);
  });

  it('The last use of a session is stored, and an expired session is not listed', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { updatedAt: new Date(now - 600_000) },
    });
    await session.graph(viewerQuery);
    expect((await session.graph<SessionListResult>(list)).data?.sessions[0]?.lastUsedAt).toBe(
      new Date(now).toISOString(),
    );
    await app.database.prisma.session.create({
      data: { id: `ended-${id}`, userId: id, token: `ended-${id}`, expiresAt: new Date(now - 1) },
    });
    expect((await session.graph<SessionListResult>(list)).data?.sessions).toHaveLength(1);
  });

  it('Neither an API key nor an anonymous request can list sessions', async () => {
    const { key } = await owner.userKey(owner.administratorId);
    for (const query of [list, 'mutation { revokeOtherSessions(input: {}) { endedSessions } }']) {
      expect((await app.graph(key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      expect((await app.graph(owner.key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      const { body } = await postJson(app, '/graphql', { query });
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    }
  });
});

describe('a change of the password', () => {
  const input = {
    currentPassword: password,
    newPassword: 'a saddle, a bridle, a hoof',
    signOutElsewhere: true,
  };

  it('A change needs the current password and ends the other sessions if requested', async () => {
    const { id, email } = await person();
    const [currentSession, otherSession] = [await signIn(app, id), await signIn(app, id)];
    expect(
      (await currentSession.graph(change, { ...input, signOutElsewhere: false })).data,
    ).toEqual({
      result: { endedSessions: 0 },
    });
    expect((await otherSession.graph(viewerQuery)).data).toEqual({ viewer: { person: { id } } });
    const back = {
      currentPassword: input.newPassword,
      newPassword: password,
      signOutElsewhere: true,
    };
    expect((await currentSession.graph(change, back)).data).toEqual({
      result: { endedSessions: 1 },
    });
    expect((await otherSession.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await currentSession.graph(viewerQuery)).data).toEqual({ viewer: { person: { id } } });
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: input.newPassword })).status,
    ).toBe(401);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('A wrong current password is rejected, and after ten attempts per minute every password is', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    const wrong = await session.graph(change, { ...input, currentPassword: 'wrong' });
    expect(wrong).toMatchObject({
      data: null,
      code: 'FORBIDDEN',
      errors: [{ extensions: { reason: 'PASSWORD_WRONG' } }],
    });
    await Promise.all(
      Array.from({ length: 9 }, () =>
        session.graph(change, { ...input, currentPassword: 'wrong' }),
      ),
    );
    expect((await session.graph(change, input)).code).toBe('RATE_LIMITED');
  });

  it('A new password that is too short is rejected', async () => {
    const session = await signIn(app, (await person()).id);
    expect((await session.graph(change, { ...input, newPassword: 'short' })).code).toBe(
      'BAD_INPUT',
    );
  });

  it.each(['1234567890', 'person-SESSIONS', 'Atrium2026!'])(
    'The new password %j is rejected as easy to guess, after the current password was checked',
    async (newPassword) => {
      const { id, email } = await person();
      const session = await signIn(app, id);
      const { code, errors } = await session.graph(change, { ...input, newPassword });
      expect({ code, ...errors[0] }).toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringContaining('not easy to guess'),
        extensions: { reason: 'PASSWORD_EASY_TO_GUESS' },
      });
      const wrong = await session.graph(change, {
        ...input,
        currentPassword: 'wrong',
        newPassword,
      });
      expect(wrong.errors[0]?.extensions?.reason).toBe('PASSWORD_WRONG');
      expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
    },
  );

  it('A change ends the links that would have reset the password', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    const value = JSON.stringify({ userId: id, returnPath: '/' });
    await app.database.prisma.verification.create({
      data: {
        id: `link-${id}`,
        identifier: `reset-password:${id}`,
        value,
        expiresAt: new Date(now + 60_000),
      },
    });
    await session.graph(change, input);
    expect(await app.database.prisma.verification.count({ where: { id: `link-${id}` } })).toBe(0);
  });

  it('An account without a password gets an error that says what to do', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    await app.database.prisma.account.deleteMany({ where: { userId: id } });
    expect((await session.graph('{ viewer { person { hasPassword } } }')).data).toEqual({
      viewer: { person: { hasPassword: false } },
    });
    expect((await session.graph(change, input)).errors).toMatchObject([
      { extensions: { code: 'CONFLICT', reason: 'NO_PASSWORD' } },
    ]);
  });

  it('The log contains neither password', () => {
    expect(app.logLines.join('')).not.toMatch(/a horse, a battery|a saddle, a bridle/);
  });
});
