import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type AcceptMembership = { organizationId: string; userId: string };

/**
 * From now on the organization sees the person's own names and last sign-in. Accepting twice keeps
 * the first date.
 */
export async function acceptMembership(
  { organizationId, userId }: AcceptMembership,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.prisma.membership.updateMany({
    where: { organizationId, userId, acceptedAt: null },
    data: { acceptedAt: clock() },
  });
}
