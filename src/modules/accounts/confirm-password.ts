import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Limits } from '../../platform/limits.ts';
import { requirePassword } from './require-password.ts';

type ConfirmPassword = { userId: string; sessionId: string; password: string };
type Parts = { database: Database; clock: Clock; limits: Limits };

/** Counts as a sign-in for what needs a recent one (`requireRecentSignIn`). */
export async function confirmPassword(
  { userId, sessionId, password }: ConfirmPassword,
  parts: Parts,
): Promise<void> {
  await requirePassword({ userId, password }, parts);
  await parts.database.prisma.session.updateMany({
    where: { id: sessionId, userId },
    data: { authenticatedAt: parts.clock() },
  });
}
