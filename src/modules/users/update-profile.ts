import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type UpdateProfileInput = { userId: string; firstName: string; lastName: string };

/**
 * Changes a person's own names. They do not belong to an organization, so no audit log records the
 * change.
 */
export async function updateProfile(
  { userId, firstName, lastName }: UpdateProfileInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.sql`
    update users set first_name = ${firstName}, last_name = ${lastName}, updated_at = ${clock()}
    where id = ${userId}`;
}
