import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { OrganizationEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-types.ts';
import { readFeed, readHorizon } from '../../events/read-feed.ts';

export type QueueDependencies = { database: Database; clock: Clock; log: Log };

/** Whether deliveries may have been queued, and whether there may be more to queue. */
export type Queued = { isAny: boolean; hasMore: boolean };

type EndpointRow = {
  id: string;
  organizationId: string;
  types: EventType[];
  cursor: string | null;
  createdAt: string;
};

const endpointsAtOnce = 200;
export const eventsAtOnce = 200;
/** What waits beyond this stays in the feed, so that a dead receiver does not fill the table. */
const waitingMax = 1_000;

/** Whether an endpoint `e` may get more deliveries now. */
export const hasRoom = fragment`(
  select count(*) from (
    select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'PENDING' limit ${waitingMax}::int) waiting) < ${waitingMax}`;

/**
 * Makes deliveries of the events that endpoints have not got yet. Any number of processes can do so
 * at the same time, because a cursor moves in the statement that inserts the deliveries.
 */
export async function queueEvents(dependencies: QueueDependencies): Promise<Queued> {
  const { database, log } = dependencies;
  const horizon = await readHorizon(database);
  const endpoints = await database.sql<EndpointRow>`
    select e.id, e.organization_id as "organizationId", e.types, e.cursor, e.created_at as "createdAt"
    from webhook_endpoints e
    where e.state <> 'DISABLED' and exists (
      select from audit_entries a
      where a.organization_id = e.organization_id and a.tx_id >= e.next_transaction and a.tx_id < ${horizon}::bigint)
      and ${hasRoom}
    order by random() limit ${endpointsAtOnce}::int`;
  let hasMore = false;
  for (const endpoint of endpoints)
    hasMore =
      (await queueFor(endpoint, dependencies).catch((err: unknown) => {
        log.warn({ err, endpoint: endpoint.id }, 'Events for a webhook could not be queued yet');
        return false;
      })) || hasMore;
  return { isAny: endpoints.length > 0, hasMore };
}

async function queueFor(
  { id, organizationId, types, cursor, createdAt }: EndpointRow,
  dependencies: QueueDependencies,
): Promise<boolean> {
  const { database, clock } = dependencies;
  const { page, horizon } = await readFeed(
    {
      ...{ organizationId, after: cursor, limit: eventsAtOnce },
      types: types.length === 0 ? null : types,
      ...(cursor === null && { from: new Date(createdAt) }),
    },
    dependencies,
  ).catch(async (error: unknown) => {
    if (!isExpired(error)) throw error;
    // Of the events that are kept, those that have a delivery are not sent again.
    await database.sql`
      update webhook_endpoints set cursor = null, next_transaction = 0 where id = ${id} and cursor = ${cursor}`;
    return { page: undefined, horizon: '0' };
  });
  if (!page) return true;
  await database.sql`
    with moved as (
      update webhook_endpoints
      set cursor = ${page.next}, next_transaction = case when ${page.hasMore} then next_transaction else ${horizon}::bigint end
      where id = ${id} and cursor is not distinct from ${cursor}::text and state <> 'DISABLED'
      returning id, organization_id)
    ${insertDeliveries(page.events, clock())} on conflict (endpoint_id, event_id) do nothing`;
  return page.hasMore;
}

export const isExpired = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CURSOR_EXPIRED';

/** Inserts deliveries of events for each row of `moved`, which has the endpoint. */
export const insertDeliveries = (events: readonly OrganizationEvent[], at: Date): Fragment => {
  const columns = events.map(({ id, type, timestamp, data }) => ({
    ...{ id, type, timestamp },
    key: `${data.resourceType}:${data.resourceId}`,
    data: JSON.stringify(data),
  }));
  const texts = (name: 'id' | 'type' | 'timestamp' | 'key' | 'data') =>
    columns.map((column) => column[name]);
  return fragment`
    insert into webhook_deliveries (id, endpoint_id, organization_id, event_id, event_type, event_at, resource_key, data, next_try_at, created_at)
    select event.new_id, moved.id, moved.organization_id, event.id, event.type, event.at::timestamptz, event.key, event.data::jsonb, ${at}, ${at}
    from moved, unnest(${events.map(() => newId(at.getTime()))}::text[], ${texts('id')}::text[], ${texts('type')}::text[], ${texts('timestamp')}::text[],
      ${texts('key')}::text[], ${texts('data')}::text[]) with ordinality as event (new_id, id, type, at, key, data, number)
    order by event.number`;
};
