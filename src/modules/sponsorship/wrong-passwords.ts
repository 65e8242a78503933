import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

type Parts = { database: Database };

const hourMs = 3_600_000;
const anHourBefore = (at: Date): Date => new Date(at.getTime() - hourMs);

/**
 * Remembers that a wrong password was given, for the partner to see. Tries are limited to a
 * thousand an hour, so the list stays short.
 */
export async function noteWrongPassword(
  { linkId, at }: { linkId: string; at: Date },
  { database }: Parts,
): Promise<void> {
  await database.sql`
    update links set wrong_password_times =
      array(select t from unnest(wrong_password_times) t where t > ${anHourBefore(at)} order by t desc limit 999) || ${at}::timestamptz
    where id = ${linkId} returning id`;
}

type CountWrongPasswords = { organizationId: string; linkIds: readonly string[] };

/**
 * How many wrong passwords were given at each of these links in the last hour, in the order of the
 * ids.
 */
export async function countWrongPasswords(
  { organizationId, linkIds }: CountWrongPasswords,
  { database, clock }: Parts & { clock: Clock },
): Promise<number[]> {
  const rows = await database.sql<{ id: string; count: number }>`
    select id, (select count(*)::int from unnest(wrong_password_times) t where t > ${anHourBefore(clock())}) as count
    from links where id = any(${linkIds}) and organization_id = ${organizationId}`;
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return linkIds.map((id) => counts.get(id) ?? 0);
}
