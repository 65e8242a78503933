import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

const recentMs = 600_000;

type Parts = { database: Pick<Database, 'prisma'>; clock: Clock };

/**
 * When the person last showed who they are in this session: at the sign-in, or by their password
 * since.
 */
async function readAuthenticatedAt(
  sessionId: string,
  { database }: Pick<Parts, 'database'>,
): Promise<Date> {
  const { authenticatedAt } = await database.prisma.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { authenticatedAt: true },
  });
  return authenticatedAt;
}

/**
 * Whether the sign-in is at most ten minutes old. Whoever finds an open browser later must not
 * change how its owner signs in.
 */
async function isRecentSignIn(sessionId: string, { database, clock }: Parts): Promise<boolean> {
  return (
    clock().getTime() - (await readAuthenticatedAt(sessionId, { database })).getTime() <= recentMs
  );
}

/**
 * Refuses where the sign-in is older than ten minutes. A page then asks for the password
 * (`confirmPassword`), or for a new sign-in.
 */
export async function requireRecentSignIn(sessionId: string, parts: Parts): Promise<void> {
  if (await isRecentSignIn(sessionId, parts)) return;
  throw new AppError(
    'FORBIDDEN',
    'Please confirm that it is you: type your password, or sign out and sign in again',
    'SIGN_IN_NOT_RECENT',
  );
}
