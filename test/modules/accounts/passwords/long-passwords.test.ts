import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  hashPassword,
  verifyPassword,
} from '../../../../src/modules/accounts/passwords/password.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { givePassword, password, postJson, sessionWith, signIn } from '../../../support/sign-in.ts';

// Normalizing combining marks takes quadratic time: 900 kB of them block the process for 38
// seconds.
const combiningMarks = (bytes: number) => '\u0301\u0316'.repeat(bytes / 4);

/**
 * Collects the lengths of the passwords that are normalized from now on. Each one is hashed or
 * compared directly afterwards.
 */
function watchHashedLengths() {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  return () =>
    normalize.mock.calls.flatMap(([form], index) =>
      form === 'NFKC' ? [String(normalize.mock.contexts[index]).length] : [],
    );
}

let app: TestApp;
let userId: string;
let email: string;

beforeAll(async () => {
  app = await testApp();
  const owner = await app.organization();
  ({ id: userId } = await owner.member('somebody@long-passwords.example'));
  email = await givePassword(app, userId);
});
afterAll(() => app.close());
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a password beyond the length limit', () => {
  it.each([
    ['an account', () => email],
    ['no account', () => 'nobody@long-passwords.example'],
    ['no address', () => 'no address'],
  ])(
    'A too long password at a sign-in to %s is wrong and costs one hash of a fixed text',
    async (_, address) => {
      const hashedLengths = watchHashedLengths();
      const { status, body } = await postJson(app, '/auth/sign-in/email', {
        email: address(),
        password: combiningMarks(60_000),
      });
      expect({ status, body }).toEqual({
        status: 401,
        body: { message: 'Wrong e-mail address or password', code: 'INVALID_EMAIL_OR_PASSWORD' },
      });
      expect(hashedLengths()).toEqual(['a fixed text'.length]);
    },
  );

  it('A too long password is wrong when a session confirms the password', async () => {
    const { cookie } = await signIn(app, userId);
    const hashedLengths = watchHashedLengths();
    const session = sessionWith(app, cookie);
    for (const mutation of [
      'confirmPassword(input: { password: $password }) { success }',
      'changePassword(input: { currentPassword: $password, newPassword: "another horse, another" }) { endedSessions }',
    ]) {
      const { errors } = await session.graph(`mutation ($password: String!) { ${mutation} }`, {
        password: combiningMarks(900_000),
      });
      expect(errors[0]?.extensions?.reason).toBe('PASSWORD_WRONG');
    }
    expect(hashedLengths()).toEqual(['a fixed text'.length, 'a fixed text'.length]);
  });

  it('A too long password is never hashed for storage', async () => {
    const hashedLengths = watchHashedLengths();
    await expect(hashPassword(combiningMarks(900_000))).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
    expect(hashedLengths()).toEqual([]);
  });
});

it('The longest password of a link, 200 characters of two units each, is hashed and compared', async () => {
  const longest = '🐎'.repeat(200);
  const hash = await hashPassword(longest);
  expect(await verifyPassword({ hash, password: longest })).toBe(true);
  expect(await verifyPassword({ hash, password: `${longest}a` })).toBe(false);
});

describe('the size of a body below /auth/', () => {
  const bodyOf = (bytes: number) => {
    const rest = JSON.stringify({ email, password, unknown: '' }).length;
    return { email, password, unknown: 'a'.repeat(bytes - rest) };
  };

  it('A body of 64 kB is accepted', async () => {
    expect((await postJson(app, '/auth/sign-in/email', bodyOf(65_536))).status).toBe(200);
  });

  it.each([
    'sign-up/email',
    'sign-in/email',
    'sign-in/provider',
    'sign-in/passkey',
    'passkey/options',
    'second-factor/options',
    'second-factor/verify',
    'sign-out',
    'request-password-reset',
    'reset-password',
    'send-verification-email',
    'verify-email',
  ])('A body of 64 kB and one byte is rejected at %s', async (path) => {
    const { status, body } = await postJson(app, `/auth/${path}`, bodyOf(65_537));
    expect({ status, code: body['code'] }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });
});
