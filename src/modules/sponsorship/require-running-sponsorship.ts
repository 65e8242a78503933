import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Refuses what a workspace may not do any more once nobody pays for it. An extension lets it go on
 * at once; one that was never sponsored always may.
 */
export async function requireRunningSponsorship(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  const [ended] = await database.sql<{ sponsoredUntil: string }>`
    select sponsored_until as "sponsoredUntil" from organizations where id = ${organizationId} and sponsored_until <= ${clock()}`;
  if (ended)
    throw new AppError(
      'FORBIDDEN',
      `The sponsorship of this organization ended on ${ended.sponsoredUntil.slice(0, 10)}; its assistants no longer run`,
    );
}
