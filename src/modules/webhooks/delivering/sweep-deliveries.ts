import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../../../platform/database/times-ahead.ts';
import { retryAfterMsMax } from '../../../platform/retry-after.ts';
import { leaseSeconds, triesMaxOf } from './claim-deliveries.ts';
import { claimSeconds } from './send-notices.ts';

const keptDays = 30;
const dayMs = 86_400_000;
const deliveriesAtOnce = 500;
// The clocks of two processes can differ by this.
const clockDifferenceMs = 300_000;

/**
 * Shortens times from before a clock was set back. Gives up the deliveries that nobody will try any more: those of disabled endpoints, and those whose
 * process ended during the last try. Then removes what ended 30 days ago. Any number of processes can
 * do so at the same time.
 */
export async function sweepDeliveries(
  { database: { sql }, clock }: { database: Database; clock: Clock },
  stopping?: AbortSignal,
): Promise<void> {
  const at = clock();
  await shortenTimes(at, { sql });
  const disabled = () => sql<{ id: string }>`
    update webhook_deliveries set state = 'FAILED', ended_at = ${at}, last_error = 'The endpoint was disabled.'
    where id in (
      select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id and d.state = 'PENDING'
      where e.state = 'DISABLED' and (d.lease_until is null or d.lease_until < clock_timestamp())
      order by d.id limit ${deliveriesAtOnce}::int for update of d skip locked)
    returning id`;
  const abandoned = () => sql<{ id: string }>`
    update webhook_deliveries set state = 'FAILED', ended_at = ${at}, last_tried_at = ${at}, last_status = null,
      last_error = 'Atrium was stopped during the last try.', lease_holder = null, lease_until = null
    where id in (
      select d.id from webhook_deliveries d
      where d.state = 'PENDING' and d.lease_until < clock_timestamp() and d.tries >= ${triesMaxOf}
      order by d.id limit ${deliveriesAtOnce}::int for update skip locked)
    returning id`;
  const expired = () => sql<{ id: string }>`
    delete from webhook_deliveries where id in (
      select d.id from webhook_deliveries d
      where d.state <> 'PENDING' and d.ended_at < ${new Date(at.getTime() - keptDays * dayMs)}
      order by d.ended_at limit ${deliveriesAtOnce}::int for update skip locked)
    returning id`;
  for (const sweep of [disabled, abandoned, expired])
    while (!stopping?.aborted && (await sweep()).length === deliveriesAtOnce);
}

/**
 * Shortens leases and pauses from before a clock was set back. A delivery without a try is due, and
 * so is one that was last tried at a time that is still to come.
 */
async function shortenTimes(at: Date, { sql }: Pick<Database, 'sql'>): Promise<void> {
  const lease = fragment`lease_until`;
  const claim = fragment`claimed_until`;
  await sql`
    update webhook_deliveries set lease_until = ${notTooFarAhead(lease, leaseSeconds)}
    where lease_until is not null and ${isTooFarAhead(lease, leaseSeconds)}`;
  await sql`
    update webhook_notices set claimed_until = ${notTooFarAhead(claim, claimSeconds)} where ${isTooFarAhead(claim, claimSeconds)}`;
  const pastTries = new Date(at.getTime() + clockDifferenceMs);
  await sql`
    update webhook_deliveries d set next_try_at = ${at}
    from webhook_endpoints e
    where d.endpoint_id = e.id and d.state = 'PENDING' and d.next_try_at > ${at} and (d.tries = 0 or d.last_tried_at > ${pastTries})`;
  await sql`
    update webhook_endpoints set paused_until = null
    where paused_until > ${new Date(at.getTime() + retryAfterMsMax + clockDifferenceMs)}`;
}
