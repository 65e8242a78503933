import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';

/**
 * Throws if the workspace's sponsorship has ended. An extension takes effect at once; an
 * organization that was never sponsored always passes.
 */
export async function requireRunningSponsorship(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  const [organization] = await database.sql<{ sponsoredUntil: string }>`
    select sponsored_until as "sponsoredUntil" from organizations where id = ${organizationId} and sponsored_until <= ${clock()}`;
  if (organization)
    throw new AppError(
      'FORBIDDEN',
      `The sponsorship of this organization ended on ${organization.sponsoredUntil.slice(0, 10)}; its assistants no longer run`,
      'SPONSORSHIP_ENDED',
    );
}
