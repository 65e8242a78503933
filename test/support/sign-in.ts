import { hashPassword } from '../../src/modules/accounts/passwords/password.ts';
import { graphAnswerOf } from './answers.ts';
import type { TestApp, TestResponse } from './app.ts';

export const password = 'a horse, a battery, a staple';
let hashed: Promise<string> | undefined;

/** Sets the test password of an account. */
export async function givePassword(app: TestApp, userId: string): Promise<string> {
  hashed ??= hashPassword(password);
  await app.database.prisma.account.updateMany({
    where: { userId },
    data: { password: await hashed },
  });
  const { email } = await app.database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  return email;
}

export const postJson = (
  app: TestApp,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  app.request('POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The cookies of a response, as a browser sends them back. */
export const cookieOf = ({ headers }: TestResponse): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Signs a person in and returns a client for GraphQL requests in the session. */
export async function signIn(app: TestApp, userId: string) {
  const email = await givePassword(app, userId);
  const answer = await postJson(app, '/auth/sign-in/email', { email, password });
  if (answer.status !== 200)
    throw new Error(`signing in answered ${answer.status}: ${answer.text}`);
  return sessionWith(app, cookieOf(answer));
}

export type TestSession = ReturnType<typeof sessionWith>;

export function sessionWith(app: TestApp, cookie: string) {
  return {
    cookie,
    async graph<Data = Record<string, unknown>>(
      query: string,
      variables: Record<string, unknown> = {},
      headers: Record<string, string> = {},
    ) {
      const { status, body } = await postJson(
        app,
        '/graphql',
        { query, variables },
        { cookie, ...headers },
      );
      const { data, errors } = graphAnswerOf({ body });
      // Like the console, a test that gets an error does not read the other fields.
      return {
        status,
        data: errors.length > 0 ? null : (data as Data | null),
        errors,
        code: errors[0]?.extensions?.code,
      };
    },
  };
}
