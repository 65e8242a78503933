import { getSessionFromCtx } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';
import type { AccountServices } from './account-services.ts';
import { hashSessionToken } from './stored-sessions.ts';

type Asking = Parameters<typeof getSessionFromCtx>[0];

/**
 * Who is signed in by the request's cookie. better-auth takes a database that is away for a session
 * that is gone, and a page that is told so sends people to sign in again: so where it finds nobody,
 * the session itself is looked for.
 */
export async function presentSession(
  ctx: Asking,
  { database, clock }: Pick<AccountServices, 'database' | 'clock'>,
) {
  const found = await getSessionFromCtx(ctx);
  if (found) return found;
  const token = await ctx.getSignedCookie(
    ctx.context.authCookies.sessionToken.name,
    ctx.context.secret,
  );
  if (!token) return null;
  const [there] =
    await database.sql`select id from sessions where token = ${hashSessionToken(token)} and expires_at > ${clock()}`;
  if (there) throw new AppError('UNAVAILABLE', 'Temporarily unavailable');
  return null;
}
