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
/** An organization whose endpoints are at many positions of the feed lets others in between. */
const positionsAtOnce = 2;
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
  // All feeds are read up to the same transaction, so that the endpoints of an organization come to
  // the same position, from which on one reading serves all of them.
  const horizon = await readHorizon(database);
  const endpoints = await database.sql<EndpointRow>`
    select e.id, e.organization_id as "organizationId", e.types, e.cursor, e.created_at as "createdAt"
    from webhook_endpoints e
    where e.state <> 'DISABLED' and exists (
      select from audit_entries a
      where a.organization_id = e.organization_id and a.tx_id >= e.next_transaction and a.tx_id < ${horizon}::bigint)
      and ${hasRoom}
    order by random() limit ${endpointsAtOnce}::int`;
  const positions = [...Map.groupBy(endpoints, positionOf).values()];
  const ofOrganizations = Map.groupBy(positions, ([endpoint]) => endpoint?.organizationId ?? '');
  let hasMore = false;
  for (const ofOrganization of ofOrganizations.values()) {
    hasMore ||= ofOrganization.length > positionsAtOnce;
    for (const group of ofOrganization.slice(0, positionsAtOnce))
      hasMore =
        (await queueFor(group, horizon, dependencies).catch((err: unknown) => {
          const ids = group.map(({ id }) => id);
          log.warn({ err, endpoints: ids }, 'Events for webhooks could not be queued yet');
          return false;
        })) || hasMore;
  }
  return { isAny: endpoints.length > 0, hasMore };
}

/** Endpoints at the same position of the same feed have the same text. */
const positionOf = ({ id, organizationId, cursor }: EndpointRow) =>
  `${organizationId} ${cursor ?? id}`;

/** Queues the next events for endpoints that are at the same position of the feed. */
async function queueFor(
  endpoints: readonly EndpointRow[],
  horizon: string,
  dependencies: QueueDependencies,
): Promise<boolean> {
  const { database, clock } = dependencies;
  const [first] = endpoints;
  if (!first) return false;
  const { organizationId, cursor, createdAt } = first;
  const ids = endpoints.map(({ id }) => id);
  const hasAllTypes = endpoints.some(({ types }) => types.length === 0);
  const page = await readFeed(
    {
      ...{ organizationId, after: cursor, horizon },
      limit: Math.ceil(eventsAtOnce / endpoints.length),
      types: hasAllTypes ? null : [...new Set(endpoints.flatMap(({ types }) => types))],
      ...(cursor === null && { from: new Date(createdAt) }),
    },
    dependencies,
  ).then(
    (read) => read.page,
    async (error: unknown) => {
      if (!isExpired(error)) throw error;
      // Of the events that are kept, those that have a delivery are not sent again.
      await database.sql`
        update webhook_endpoints set cursor = null, next_transaction = 0 where id = any(${ids}) and cursor = ${cursor}`;
      return undefined;
    },
  );
  if (!page) return true;
  // Two processes that lock the endpoints in different orders would wait for each other.
  await database.sql`
    with locked as (
      select id from webhook_endpoints
      where id = any(${ids}) and cursor is not distinct from ${cursor}::text and state <> 'DISABLED'
      order by id for no key update skip locked),
    moved as (
      update webhook_endpoints
      set cursor = ${page.next}, next_transaction = case when ${page.hasMore} then next_transaction else ${horizon}::bigint end
      where id in (select id from locked)
      returning id, organization_id, types)
    ${insertDeliveries(page.events, ids, clock())} on conflict (endpoint_id, event_id) do nothing`;
  return page.hasMore;
}

export const isExpired = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CURSOR_EXPIRED';

/**
 * Inserts deliveries of events for each row of `moved`, which has endpoints of `endpointIds`, as far
 * as they get events of these types.
 */
export const insertDeliveries = (
  events: readonly OrganizationEvent[],
  endpointIds: readonly string[],
  at: Date,
): Fragment => {
  const columns = events.map(({ id, type, timestamp, data }) => ({
    ...{ id, type, timestamp },
    key: `${data.resourceType}:${data.resourceId}`,
    data: JSON.stringify(data),
  }));
  const texts = (name: 'id' | 'type' | 'timestamp' | 'key' | 'data') =>
    columns.map((column) => column[name]);
  const ids = events.flatMap((_, index) =>
    endpointIds.map((endpointId) => ({ endpointId, number: index + 1, id: newId(at.getTime()) })),
  );
  return fragment`
    insert into webhook_deliveries (id, endpoint_id, organization_id, event_id, event_type, event_at, resource_key, data, next_try_at, created_at)
    select ids.id, moved.id, moved.organization_id, event.id, event.type, event.at::timestamptz, event.key, event.data::jsonb, ${at}, ${at}
    from moved
    join unnest(${ids.map(({ endpointId }) => endpointId)}::text[], ${ids.map(({ number }) => number)}::bigint[], ${ids.map(({ id }) => id)}::text[])
      as ids (endpoint_id, number, id) on ids.endpoint_id = moved.id
    join unnest(${texts('id')}::text[], ${texts('type')}::text[], ${texts('timestamp')}::text[], ${texts('key')}::text[], ${texts('data')}::text[])
      with ordinality as event (id, type, at, key, data, number) on event.number = ids.number
    where cardinality(moved.types) = 0 or event.type = any(moved.types)
    order by event.number`;
};
