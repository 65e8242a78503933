import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import {
  cookieOf,
  givePassword,
  password,
  postJson,
  sessionWith,
  signIn,
} from '../../support/sign-in.ts';

type Listed = {
  sessions: { id: string; device: string; isCurrent: boolean; lastUsedAt: string }[];
};
const list = '{ sessions { id device address isCurrent createdAt lastUsedAt } }';
const who = '{ viewer { person { id } } }';
const revoke = 'mutation ($id: ResourceId!) { revokeSession(id: $id) }';
const change =
  'mutation ($currentPassword: String!, $newPassword: NewPassword!, $signOutElsewhere: Boolean!) { result: changePassword(currentPassword: $currentPassword, newPassword: $newPassword, signOutElsewhere: $signOutElsewhere) }';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const now = Date.now();
let app: TestApp;
let owner: TestOrganization;
let made = 0;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { clock: () => new Date(now) });
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  made += 1;
  const { id } = await owner.member(`person-${made}@sessions.example`);
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
  it('are listed with words for the device, the one that asks marked, and no token', async () => {
    const { id, email } = await person();
    const here = await signInWith(email, firefox);
    await signInWith(email, 'something/1.0');
    const { data } = await here.graph<Listed>(list);
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
    expect((await here.graph('{ sessions { token } }')).errors).toHaveLength(1);
  });

  it('end one by one, at once', async () => {
    const { id } = await person();
    const [here, there] = [await signIn(app, id), await signIn(app, id)];
    const { data } = await here.graph<Listed>(list);
    const other = data?.sessions.find(({ isCurrent }) => !isCurrent);
    expect((await here.graph(revoke, { id: other?.id })).data).toEqual({
      revokeSession: other?.id,
    });
    expect((await there.graph(who)).data).toEqual({ viewer: null });
    expect((await here.graph(revoke, { id: other?.id })).code).toBe('NOT_FOUND');
    expect((await here.graph(who)).data).toEqual({ viewer: { person: { id } } });
  });

  it('of somebody else are not found', async () => {
    const [mine, theirs] = [
      await signIn(app, (await person()).id),
      await signIn(app, (await person()).id),
    ];
    const { data } = await theirs.graph<Listed>(list);
    expect((await mine.graph(revoke, { id: data?.sessions[0]?.id })).code).toBe('NOT_FOUND');
    expect((await mine.graph(revoke, { id: 'nothing' })).code).toBe('NOT_FOUND');
    expect((await theirs.graph<Listed>(list)).data?.sessions).toHaveLength(1);
  });

  it('end all but the one that asks', async () => {
    const { id } = await person();
    const [here, ...others] = [await signIn(app, id), await signIn(app, id), await signIn(app, id)];
    expect((await here.graph('mutation { revokeOtherSessions }')).data).toEqual({
      revokeOtherSessions: 2,
    });
    for (const other of others) expect((await other.graph(who)).data).toEqual({ viewer: null });
    expect((await here.graph<Listed>(list)).data?.sessions).toHaveLength(1);
  });

  it('are noted as used, and are not listed after their end', async () => {
    const { id } = await person();
    const session = await signIn(app, id);
    await app.database.prisma.session.updateMany({
      where: { userId: id },
      data: { updatedAt: new Date(now - 600_000) },
    });
    await session.graph(who);
    expect((await session.graph<Listed>(list)).data?.sessions[0]?.lastUsedAt).toBe(
      new Date(now).toISOString(),
    );
    await app.database.prisma.session.create({
      data: { id: `ended-${id}`, userId: id, token: `ended-${id}`, expiresAt: new Date(now - 1) },
    });
    expect((await session.graph<Listed>(list)).data?.sessions).toHaveLength(1);
  });

  it('are for the person alone: neither a key nor nobody asks for them', async () => {
    const { key } = await owner.userKey(owner.administratorId);
    for (const query of [list, 'mutation { revokeOtherSessions }']) {
      expect((await app.graph(key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      expect((await app.graph(owner.key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      const { body } = await postJson(app, '/graphql', { query });
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    }
  });
});

describe('changing the password', () => {
  const input = {
    currentPassword: password,
    newPassword: 'a saddle, a bridle, a hoof',
    signOutElsewhere: true,
  };

  it('takes the one before, and ends the other sessions where that is wanted', async () => {
    const { id, email } = await person();
    const [here, there] = [await signIn(app, id), await signIn(app, id)];
    expect((await here.graph(change, { ...input, signOutElsewhere: false })).data).toEqual({
      result: 0,
    });
    expect((await there.graph(who)).data).toEqual({ viewer: { person: { id } } });
    const back = {
      currentPassword: input.newPassword,
      newPassword: password,
      signOutElsewhere: true,
    };
    expect((await here.graph(change, back)).data).toEqual({ result: 1 });
    expect((await there.graph(who)).data).toEqual({ viewer: null });
    expect((await here.graph(who)).data).toEqual({ viewer: { person: { id } } });
    expect(
      (await postJson(app, '/auth/sign-in/email', { email, password: input.newPassword })).status,
    ).toBe(401);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
  });

  it('refuses a wrong one, and after ten tries a minute every one', async () => {
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

  it('refuses a new one that is too short', async () => {
    const session = await signIn(app, (await person()).id);
    expect((await session.graph(change, { ...input, newPassword: 'short' })).code).toBe(
      'BAD_INPUT',
    );
  });

  it.each(['1234567890', 'person-SESSIONS', 'Atrium2026!'])(
    'refuses %j as easy to guess, after it has checked the current password',
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

  it('ends the links that would have reset it', async () => {
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

  it('says what to do where there is none', async () => {
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

  it('leaves neither of them in the log', () => {
    expect(app.logLines.join('')).not.toMatch(/a horse, a battery|a saddle, a bridle/);
  });
});
