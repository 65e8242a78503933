import type { GenericEndpointContext } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { notFound } from '../../../platform/errors.ts';
import { wrongCredentials } from '../account-errors.ts';
import { personHeader } from '../client-header.ts';
import { secondFactorNeededCode } from '../second-factor/pending-sign-in.ts';

type SessionOptions = {
  /** Whether the session ends when the browser is closed. */
  endsWithBrowser?: boolean;
  /** When the person entered a second factor for this session. */
  secondFactorAt?: Date;
  /**
   * The hash of the password that the person entered. If the account's password has changed since
   * then, no session is created.
   */
  passwordHash?: string;
};

/**
 * The response to a sign-in. If `signedIn` is false there is no session yet, and the second step
 * follows.
 */
export type SignInResult = { signedIn: true } | { signedIn: false; secondFactor: true };

/**
 * Creates a session for a person who has passed the first step of a sign-in. If the account needs a
 * second factor that the person has not entered, only the second step begins.
 */
export async function openSession(
  ctx: GenericEndpointContext,
  userId: string,
  options: SessionOptions = {},
): Promise<SignInResult> {
  const { endsWithBrowser = false, secondFactorAt, passwordHash } = options;
  const { internalAdapter, authCookies, secret } = ctx.context;
  const replacedToken = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  const user = await internalAdapter.findUserById(userId);
  if (!user) throw notFound('Account');
  try {
    const session = await internalAdapter.createSession(
      userId,
      endsWithBrowser,
      secondFactorAt && { secondFactorAt },
    );
    if (
      passwordHash !== undefined &&
      !(await internalAdapter.findAccounts(userId)).some(
        ({ password }) => password === passwordHash,
      )
    ) {
      await internalAdapter.deleteSession(session.token);
      throw wrongCredentials();
    }
    ctx.setHeader(personHeader, userId);
    await setSessionCookie(ctx, { session, user }, endsWithBrowser);
  } catch (error) {
    if (isAPIError(error) && error.body?.['code'] === secondFactorNeededCode)
      return { signedIn: false, secondFactor: true };
    throw error;
  }
  // The browser's previous session would stay valid without anybody knowing its token.
  if (replacedToken) await internalAdapter.deleteSession(replacedToken);
  return { signedIn: true };
}
