import { totpCode, totpStep } from '../../src/modules/accounts/second-factor/totp.ts';
import type { TestApp } from './app.ts';
import { cookieOf, givePassword, password, postJson, signIn, type TestSession } from './sign-in.ts';

type EnrolledApp = { session: TestSession; email: string; secret: string; recoveryCodes: string[] };

/** The current code of the app, or the one `steps` times 30 seconds later. */
export const codeOf = (secret: string, steps = 0, at = new Date()): string =>
  totpCode(secret, totpStep(at) + steps);

/**
 * Sets up an authenticator app over GraphQL, as the console does. This uses up the code of the
 * previous step.
 */
export async function enrollApp(app: TestApp, userId: string): Promise<EnrolledApp> {
  const session = await signIn(app, userId);
  const started = await session.graph<{
    startAuthenticatorApp: { authenticatorApp: { secret: string } };
  }>('mutation { startAuthenticatorApp(input: {}) { authenticatorApp { secret uri } } }');
  const secret = started.data?.startAuthenticatorApp.authenticatorApp.secret ?? '';
  const confirm = () =>
    session.graph<{ confirmAuthenticatorApp: { recoveryCodes: string[] } }>(
      'mutation ($code: String!) { confirmAuthenticatorApp(input: { code: $code }) { recoveryCodes } }',
      { code: codeOf(secret, -1) },
    );
  let { data, errors } = await confirm();
  // The next step may have started while the code was sent.
  if (!data) ({ data, errors } = await confirm());
  if (!data) throw new Error(JSON.stringify(errors));
  return {
    session,
    email: await givePassword(app, userId),
    secret,
    recoveryCodes: data.confirmAuthenticatorApp.recoveryCodes,
  };
}

/** The first step of a sign-in with a password: its cookie only permits the second step. */
export async function firstStep(app: TestApp, email: string) {
  const answer = await postJson(app, '/auth/sign-in/email', { email, password });
  const cookie = cookieOf(answer);
  return { answer, cookie, verify: (code: string) => secondStep(app, cookie, 'verify', { code }) };
}

/** A call of the second step. A request with a cookie must come from our own origin. */
export const secondStep = (
  app: TestApp,
  cookie: string,
  call: 'options' | 'verify',
  body: object = {},
) => postJson(app, `/auth/second-factor/${call}`, body, { cookie, origin: 'http://atrium.test' });

/** Marks an account and its sessions as if a second factor had been set up and used. */
export async function giveSecondFactor(
  { database: { prisma } }: Pick<TestApp, 'database'>,
  userId: string,
): Promise<void> {
  await prisma.user.update({ where: { id: userId }, data: { secondFactorEnabled: true } });
  await prisma.session.updateMany({ where: { userId }, data: { secondFactorAt: new Date() } });
}
