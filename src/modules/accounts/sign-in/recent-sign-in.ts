import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';

const recentMs = 600_000;

type RecentSignInDependencies = { database: Pick<Database, 'sql'>; clock: Clock };

/**
 * Whether the person authenticated in this session at most ten minutes ago: at the sign-in, or later
 * with their password. Somebody who finds an unattended browser must not be able to change how its
 * owner signs in.
 */
async function isRecentSignIn(
  sessionId: string,
  { database, clock }: RecentSignInDependencies,
): Promise<boolean> {
  const [session] = await database.sql<{ authenticatedAt: string }>`
    select authenticated_at as "authenticatedAt" from sessions where id = ${sessionId}`;
  return (
    session !== undefined && clock().getTime() - Date.parse(session.authenticatedAt) <= recentMs
  );
}

/**
 * Rejects the request if the sign-in is older than ten minutes. The page then asks for the password
 * (`confirmPassword`), or for a new sign-in.
 */
export async function requireRecentSignIn(
  sessionId: string,
  dependencies: RecentSignInDependencies,
): Promise<void> {
  if (await isRecentSignIn(sessionId, dependencies)) return;
  throw new AppError(
    'FORBIDDEN',
    'Please confirm that it is you: type your password, or sign out and sign in again',
    'SIGN_IN_NOT_RECENT',
  );
}
