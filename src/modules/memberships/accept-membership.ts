import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type AcceptMembershipInput = { organizationId: string; userId: string };

/**
 * Accepts a membership: from now on the organization can see the person's own names and last
 * sign-in. A second call keeps the date of the first one.
 */
export async function acceptMembership(
  { organizationId, userId }: AcceptMembershipInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.sql`
    update memberships set accepted_at = ${clock()}
    where organization_id = ${organizationId} and user_id = ${userId} and accepted_at is null`;
}
