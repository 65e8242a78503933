import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Person } from '../../assistants/access.ts';
import type { RunRecord } from '../run-record.ts';

type RunnerDependencies = { database: Database; clock: Clock };

/**
 * The person who started a run, with their present role. Throws if they are no longer a member, or
 * if the key that they used was revoked or has expired.
 */
export async function readRunner(
  { organizationId, userId, keyId }: RunRecord,
  { database: { sql }, clock }: RunnerDependencies,
): Promise<Person> {
  const [runner] = await sql<{ isAdmin: boolean }>`
    select m.role = 'ADMIN' as "isAdmin" from memberships m
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
      and (${keyId}::text is null or exists (
        select from api_keys k where k.id = ${keyId}::text and k.organization_id = ${organizationId} and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > ${clock()})))`;
  if (!runner) throw new AppError('FORBIDDEN', 'Your access has ended', 'ACCESS_ENDED');
  return { organizationId, userId, isAdmin: runner.isAdmin };
}
