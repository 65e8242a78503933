import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { requirePassword } from './require-password.ts';

type PasswordConfirmation = { userId: string; sessionId: string; password: string };
type ConfirmPasswordDependencies = { database: Database; clock: Clock; limits: RateLimits };

/**
 * Checks the password and renews the time of the sign-in, on which `requireRecentSignIn` decides.
 */
export async function confirmPassword(
  { userId, sessionId, password }: PasswordConfirmation,
  dependencies: ConfirmPasswordDependencies,
): Promise<void> {
  await requirePassword({ userId, password }, dependencies);
  await dependencies.database.sql`
    update sessions set authenticated_at = ${dependencies.clock()}, updated_at = now()
    where id = ${sessionId} and user_id = ${userId}`;
}
