import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

/** What follows every sign-in, whatever way it was: when it was, and nothing kept of sessions that have ended. */
export async function noteSignIn(userId: string, { database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const at = clock();
  await database.prisma.user.updateMany({ where: { id: userId }, data: { lastLogin: at } });
  await database.prisma.session.deleteMany({ where: { userId, expiresAt: { lt: at } } });
}
