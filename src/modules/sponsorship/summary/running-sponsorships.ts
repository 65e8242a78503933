import { type Fragment, fragment } from '../../../platform/database/sql.ts';

/**
 * SQL for the running sponsorships of an organization as rows (ends_at, sponsorships, seats), to be
 * summed. A partner may have a million, so most rows are the stored total of a day, with the start of
 * the day as `ends_at`. For today and the days of `boundaries` each sponsorship is a row with its own
 * end, so the sums up to these instants are exact.
 */
export function runningSponsorships(
  { organizationId, boundaries }: { organizationId: string; boundaries: readonly Date[] },
  now: Date,
): Fragment {
  const today = utcDay(now);
  const readDays = [...new Set([today, ...boundaries.map(utcDay)])];
  return fragment`(
    select day::timestamp at time zone 'UTC' as ends_at, sponsorships, seats from sponsorship_end_deltas
    where organization_id = ${organizationId} and day > ${today}::date and day <> all(${readDays}::date[])
    union all
    select r.sponsored_until, 1, coalesce(r.included_seats, 0)
    from unnest(${readDays}::date[]) as d (day)
    join redemptions r on r.organization_id = ${organizationId}
      and r.sponsored_until >= (d.day::timestamp at time zone 'UTC') and r.sponsored_until < ((d.day + 1)::timestamp at time zone 'UTC')
    where r.sponsored_until > ${now})`;
}

/** The UTC day of an instant, as Postgres reads it. */
const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);
