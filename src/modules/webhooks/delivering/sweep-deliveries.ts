import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { triesMaxOf } from './claim-deliveries.ts';

const keptDays = 30;
const dayMs = 86_400_000;
const deliveriesAtOnce = 500;

/**
 * Gives up the deliveries that nobody will try any more: those of disabled endpoints, and those whose
 * process ended during the last try. Then removes what ended 30 days ago. Any number of processes can
 * do so at the same time.
 */
export async function sweepDeliveries(
  { database: { sql }, clock }: { database: Database; clock: Clock },
  stopping?: AbortSignal,
): Promise<void> {
  const at = clock();
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
