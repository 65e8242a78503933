import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';

const hourMs = 3_600_000;
const oneHourBefore = (at: Date): Date => new Date(at.getTime() - hourMs);

/**
 * Stores the time of a wrong password, so that the partner can see the count. A link accepts at
 * most 1,000 attempts an hour, so the list stays short.
 */
export async function recordWrongPassword(
  { linkId, at }: { linkId: string; at: Date },
  { database }: { database: Database },
): Promise<void> {
  await database.sql`
    update links set wrong_password_times =
      array(select t from unnest(wrong_password_times) t where t > ${oneHourBefore(at)} order by t desc limit 999) || ${at}::timestamptz
    where id = ${linkId} returning id`;
}

type CountWrongPasswordsInput = { organizationId: string; linkIds: readonly string[] };

/**
 * Counts the wrong passwords that each of these links received in the last hour, in the order of
 * the ids.
 */
export async function countWrongPasswords(
  { organizationId, linkIds }: CountWrongPasswordsInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<number[]> {
  const rows = await database.sql<{ id: string; count: number }>`
    select id, (select count(*)::int from unnest(wrong_password_times) t where t > ${oneHourBefore(clock())}) as count
    from links where id = any(${linkIds}) and organization_id = ${organizationId}`;
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return linkIds.map((id) => counts.get(id) ?? 0);
}
