import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';

const recentMs = 600_000;

type RecentSignInDependencies = { database: Pick<Database, 'prisma'>; clock: Clock };

/**
 * Returns when the person last authenticated in this session: at the sign-in, or later with their
 * password.
 */
async function readAuthenticatedAt(
  sessionId: string,
  { database }: Pick<RecentSignInDependencies, 'database'>,
): Promise<Date> {
  const { authenticatedAt } = await database.prisma.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { authenticatedAt: true },
  });
  return authenticatedAt;
}

/**
 * Whether the sign-in is at most ten minutes old. Somebody who finds an unattended browser must not
 * be able to change how its owner signs in.
 */
async function isRecentSignIn(
  sessionId: string,
  { database, clock }: RecentSignInDependencies,
): Promise<boolean> {
  return (
    clock().getTime() - (await readAuthenticatedAt(sessionId, { database })).getTime() <= recentMs
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
