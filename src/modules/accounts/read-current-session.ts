import { getSessionFromCtx } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';
import type { AccountServices } from './account-services.ts';
import { hashSessionToken } from './stored-sessions.ts';

type SessionContext = Parameters<typeof getSessionFromCtx>[0];

/**
 * Returns the session of the request's cookie, or null. better-auth answers null both when the
 * session is gone and when the database cannot be reached. In the second case a page would send
 * people to sign in again, so the session is then looked up directly and the database's error is
 * thrown.
 */
export async function readCurrentSession(
  ctx: SessionContext,
  { database, clock }: Pick<AccountServices, 'database' | 'clock'>,
) {
  const session = await getSessionFromCtx(ctx);
  if (session) return session;
  const token = await ctx.getSignedCookie(
    ctx.context.authCookies.sessionToken.name,
    ctx.context.secret,
  );
  if (!token) return null;
  const [stored] =
    await database.sql`select id from sessions where token = ${hashSessionToken(token)} and expires_at > ${clock()}`;
  if (stored) throw new AppError('UNAVAILABLE', 'Temporarily unavailable');
  return null;
}
