import { inTransaction } from '../../../platform/database/transaction.ts';
import type { EventType } from '../../events/event-types.ts';
import { readFeed } from '../../events/read-feed.ts';
import { testType } from '../webhook-delivery.ts';
import {
  eventsAtOnce,
  hasRoom,
  insertDeliveries,
  isExpired,
  type QueueDependencies,
  type Queued,
} from './queue-events.ts';

type ReplayRow = {
  id: string;
  endpointId: string;
  organizationId: string;
  types: EventType[];
  fromAt: string;
  untilAt: string;
  onlyFailed: boolean;
  cursor: string | null;
};

/** Events of a transaction can be this much older than those of a transaction before it. */
const transactionMs = 60_000;

/** Queues the next events of each replay, in batches, until all are queued. */
export async function queueReplays(dependencies: QueueDependencies): Promise<Queued> {
  const { database, log } = dependencies;
  const replays = await database.sql<ReplayRow>`
    select r.id, r.endpoint_id as "endpointId", r.organization_id as "organizationId", e.types, r.from_at as "fromAt",
      r.until_at as "untilAt", r.only_failed as "onlyFailed", r.cursor
    from webhook_replays r join webhook_endpoints e on e.id = r.endpoint_id
    where e.state <> 'DISABLED' and ${hasRoom} order by random() limit 100`;
  let hasMore = false;
  for (const replay of replays)
    hasMore =
      (await (replay.onlyFailed ? queueFailed : queueFeed)(replay, dependencies).catch(
        (err: unknown) => {
          log.warn({ err, replay: replay.id }, 'Events of a replay could not be queued yet');
          return false;
        },
      )) || hasMore;
  return { isAny: replays.length > 0, hasMore };
}

/** Deliveries that failed after the replay was requested are not part of it. */
const queueFailed = (
  { id, endpointId, fromAt, untilAt }: ReplayRow,
  { database, clock }: QueueDependencies,
): Promise<boolean> =>
  inTransaction(database, async (tx) => {
    const [replay] = await tx.sql<{ createdAt: string }>`
      select created_at as "createdAt" from webhook_replays where id = ${id} for update skip locked`;
    if (!replay) return false;
    const queued = await tx.sql`
      with failed as (
        select d.id, row_number() over (order by d.sequence) as number from webhook_deliveries d
        where d.endpoint_id = ${endpointId} and d.state = 'FAILED' and d.event_at >= ${new Date(fromAt)} and d.event_at < ${new Date(untilAt)}
          and d.event_type <> ${testType} and d.ended_at <= ${new Date(replay.createdAt)}
        order by d.sequence limit ${eventsAtOnce}::int),
      numbered as (
        select ordered.id, nextval('webhook_deliveries_sequence_seq') as sequence
        from (select id from failed order by number) ordered)
      update webhook_deliveries d
      set state = 'PENDING', tries = 0, ended_at = null, first_failed_at = null, next_try_at = ${clock()}, sequence = numbered.sequence
      from numbered where d.id = numbered.id returning d.id`;
    const hasMore = queued.length === eventsAtOnce;
    if (!hasMore) tx.enqueue`delete from webhook_replays where id = ${id}`;
    return hasMore;
  });

async function queueFeed(
  { id, endpointId, organizationId, types, fromAt, untilAt, cursor }: ReplayRow,
  dependencies: QueueDependencies,
): Promise<boolean> {
  const { database, clock } = dependencies;
  const until = new Date(untilAt).getTime();
  const read = await readFeed(
    {
      ...{ organizationId, after: cursor, limit: eventsAtOnce, from: new Date(fromAt) },
      types: types.length === 0 ? null : types,
    },
    dependencies,
  ).catch(async (error: unknown) => {
    if (!isExpired(error)) throw error;
    await database.sql`update webhook_replays set cursor = null where id = ${id} and cursor = ${cursor}`;
    return undefined;
  });
  if (!read) return true;
  const { events, next, hasMore } = read.page;
  const timeOf = ({ timestamp }: { timestamp: string }) => new Date(timestamp).getTime();
  const last = events.at(-1);
  const isDone = !hasMore || (last !== undefined && timeOf(last) > until + transactionMs);
  const at = clock();
  await inTransaction(database, async (tx) => {
    const [moved] = await tx.sql`
      update webhook_replays set cursor = ${next} where id = ${id} and cursor is not distinct from ${cursor}::text returning id`;
    if (!moved) return;
    tx.enqueue`
      with moved as (select id, organization_id, types from webhook_endpoints where id = ${endpointId} and state <> 'DISABLED')
      ${insertDeliveries(
        events.filter((event) => timeOf(event) < until),
        [endpointId],
        at,
      )}
      on conflict (endpoint_id, event_id) do update
      set state = 'PENDING', ended_at = null, sequence = excluded.sequence, next_try_at = excluded.next_try_at,
        tries = case when webhook_deliveries.state = 'PENDING' then webhook_deliveries.tries else 0 end,
        first_failed_at = case when webhook_deliveries.state = 'PENDING' then webhook_deliveries.first_failed_at end`;
    if (isDone) tx.enqueue`delete from webhook_replays where id = ${id}`;
  });
  return !isDone;
}
