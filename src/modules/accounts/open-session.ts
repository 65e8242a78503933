import type { GenericEndpointContext } from 'better-auth';
import { setSessionCookie } from 'better-auth/cookies';
import { notFound } from '../../platform/errors.ts';

/** Signs a person in who has shown who they are. A forgetful session ends with the browser. */
export async function openSession(ctx: GenericEndpointContext, userId: string, { forgetful = false } = {}): Promise<void> {
  const { internalAdapter, authCookies, secret } = ctx.context;
  const replaced = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  const user = await internalAdapter.findUserById(userId);
  if (!user) throw notFound('Account');
  const session = await internalAdapter.createSession(userId, forgetful);
  await setSessionCookie(ctx, { session, user }, forgetful);
  // Nobody could end it any more: its browser has the new one.
  if (replaced) await internalAdapter.deleteSession(replaced);
}
