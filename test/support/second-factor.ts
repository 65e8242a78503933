import { totpCode, totpStep } from '../../src/modules/accounts/second-factor/totp.ts';
import type { TestApp } from './app.ts';
import { cookieOf, givePassword, password, postJson, signIn, type TestSession } from './sign-in.ts';

type Enrolled = { session: TestSession; email: string; secret: string; recoveryCodes: string[] };

/** The code that the app shows now, or `steps` times 30 seconds later. */
export const codeOf = (secret: string, steps = 0, at = new Date()): string =>
  totpCode(secret, totpStep(at) + steps);

/**
 * Sets up an authenticator app by the graph, as the console does. The code of the step before is
 * used up by that.
 */
export async function enrollApp(app: TestApp, userId: string): Promise<Enrolled> {
  const session = await signIn(app, userId);
  const started = await session.graph<{ startAuthenticatorApp: { secret: string } }>(
    'mutation { startAuthenticatorApp { secret uri } }',
  );
  const secret = started.data?.startAuthenticatorApp.secret ?? '';
  const confirm = () =>
    session.graph<{ confirmAuthenticatorApp: string[] }>(
      'mutation ($code: String!) { confirmAuthenticatorApp(code: $code) }',
      { code: codeOf(secret, -1) },
    );
  let { data, errors } = await confirm();
  // The next step began while the code was on its way.
  if (!data) ({ data, errors } = await confirm());
  if (!data) throw new Error(JSON.stringify(errors));
  return {
    session,
    email: await givePassword(app, userId),
    secret,
    recoveryCodes: data.confirmAuthenticatorApp,
  };
}

/** The first step of a sign-in by password: its cookie opens only the second step. */
export async function firstStep(app: TestApp, email: string) {
  const answer = await postJson(app, '/auth/sign-in/email', { email, password });
  const cookie = cookieOf(answer);
  return { answer, cookie, verify: (code: string) => secondStep(app, cookie, 'verify', { code }) };
}

/** A call of the second step. A request with a cookie must come from a page of ours. */
export const secondStep = (
  app: TestApp,
  cookie: string,
  call: 'options' | 'verify',
  body: object = {},
) => postJson(app, `/auth/second-factor/${call}`, body, { cookie, origin: 'http://atrium.test' });

/**
 * Marks an account, and the sessions that it has, as if a second factor had been set up and shown.
 */
export async function giveSecondFactor(
  { database: { prisma } }: Pick<TestApp, 'database'>,
  userId: string,
): Promise<void> {
  await prisma.user.update({ where: { id: userId }, data: { secondFactorEnabled: true } });
  await prisma.session.updateMany({ where: { userId }, data: { secondFactorAt: new Date() } });
}
