import type { GenericEndpointContext } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { notFound } from '../../platform/errors.ts';
import { personHeader } from './client-header.ts';
import { wrongCredentials } from './refusals.ts';
import { secondFactorNeeded } from './second-factor/pending-sign-in.ts';

type Options = {
  /** The session ends with the browser. */
  forgetful?: boolean;
  /** When the person has shown a second factor for this session. */
  secondFactorAt?: Date;
  /**
   * The hash of the password that was shown. If the account has lost it meanwhile, there is no
   * session.
   */
  passwordHash?: string;
};

/**
 * What a sign-in answers. Without `signedIn` there is no session yet: `secondFactor` says that the
 * second step follows.
 */
export type SignInResult = { signedIn: true } | { signedIn: false; secondFactor: true };

/**
 * Signs a person in who has shown who they are. Where a second factor is missing, only the second
 * step begins.
 */
export async function openSession(
  ctx: GenericEndpointContext,
  userId: string,
  options: Options = {},
): Promise<SignInResult> {
  const { forgetful = false, secondFactorAt, passwordHash } = options;
  const { internalAdapter, authCookies, secret } = ctx.context;
  const replaced = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  const user = await internalAdapter.findUserById(userId);
  if (!user) throw notFound('Account');
  try {
    const session = await internalAdapter.createSession(
      userId,
      forgetful,
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
    await setSessionCookie(ctx, { session, user }, forgetful);
  } catch (error) {
    if (isAPIError(error) && error.body?.['code'] === secondFactorNeeded)
      return { signedIn: false, secondFactor: true };
    throw error;
  }
  // Nobody could end it any more: its browser has the new one.
  if (replaced) await internalAdapter.deleteSession(replaced);
  return { signedIn: true };
}
