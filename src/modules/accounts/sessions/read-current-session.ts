import { getSessionFromCtx } from 'better-auth/api';
import { AppError } from '../../../platform/errors.ts';
import type { AccountServices } from '../account-services.ts';
import { hashSessionToken } from './stored-sessions.ts';

type SessionContext = Parameters<typeof getSessionFromCtx>[0];

/**
 * Returns the session of the request's cookie, or null. better-auth answers null both if there is
 * no session and if the database cannot be reached; in the second case a page would ask people to
 * sign in again. So without a session the row is looked up directly: if it exists after all, the
 * request is rejected with UNAVAILABLE, and an error of the database is thrown.
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
