import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type UpdateProfile = { userId: string; firstName: string; lastName: string };

/**
 * The names of a person are their own: they belong to no organization, so no audit log tells of
 * them.
 */
export async function updateProfile(
  { userId, ...names }: UpdateProfile,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.prisma.user.update({
    where: { id: userId },
    data: { ...names, updatedAt: clock() },
    select: { id: true },
  });
}
