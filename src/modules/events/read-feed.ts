import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';
import { type EventRow, eventColumns, type OrganizationEvent, toEvent } from './event.ts';
import { type FeedPosition, readFeedCursor, toFeedCursor } from './event-cursor.ts';
import { actionsOf, type EventType, eventTypes } from './event-types.ts';

export type FeedRequest = {
  organizationId: string;
  /** A cursor; without it the feed begins with the oldest event that is kept. */
  after?: string | null | undefined;
  types?: readonly EventType[] | null | undefined;
  /** Only events of this time or later; without a cursor the feed begins with them. */
  from?: Date;
  /** Only events of transactions before this one; by default before all that are open. */
  horizon?: string;
  limit: number;
};

export type FeedPage = {
  events: OrganizationEvent[];
  /** The cursor after everything that was read, also if no event was of a requested type. */
  next: string;
  hasMore: boolean;
};

/** A page, and the transaction from which on later events come. */
export type ReadFeed = { page: FeedPage; horizon: string };

export const eventDays = 30;
const dayMs = 86_400_000;

export const feedStart = (clock: Clock): Date => new Date(clock().getTime() - eventDays * dayMs);

/**
 * The oldest transaction that may still write: statements that begin after this one see all that
 * earlier transactions wrote. As part of another statement it would be computed several times, each
 * time with another result.
 */
export async function readHorizon({ sql }: Pick<Database, 'sql'>): Promise<string> {
  const [row] = await sql<{ horizon: string }>`select event_horizon()::text as horizon`;
  if (!row) throw new Error('The statement returns one row');
  return row.horizon;
}

/** A cursor after everything that can be read now. Entries that are committed later come after it. */
export async function readFeedEnd({
  sql,
}: Pick<Database, 'sql'>): Promise<{ cursor: string; horizon: string }> {
  const [row] = await sql<{ epoch: string; horizon: string }>`
    select event_epoch() as epoch, event_horizon()::text as horizon`;
  if (!row) throw new Error('The statement returns one row');
  const { epoch, horizon } = row;
  const transaction = String(BigInt(horizon) - 1n);
  return { cursor: toFeedCursor({ epoch, transaction, position: '9'.repeat(18) }), horizon };
}

type FeedRow = Partial<EventRow> & {
  epoch: string;
  /** The position of the last entry before the horizon, also of one that is no event. */
  lastTransaction: string | null;
  lastPosition: string | null;
  isExpired: boolean;
  transaction: string | null;
  position: string | null;
};

/**
 * Reads events of an organization in the order of their transactions. Transactions commit in another
 * order than they begin, so a reader sees only those before the oldest one that is open: an event
 * that is committed later never comes before one that was read.
 */
export async function readFeed(
  { organizationId, after, types, from, limit, ...request }: FeedRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<ReadFeed> {
  const position = after == null ? undefined : readFeedCursor(after);
  const { transaction = '0', position: number = '0' } = position ?? {};
  const start = feedStart(clock);
  const first = from && from > start ? from : start;
  const horizon = request.horizon ?? (await readHorizon(database));
  const own = fragment`e.organization_id = ${organizationId}`;
  const isLater = fragment`(e.tx_id, e.position) > (${transaction}::bigint, ${number}::bigint)`;
  // Transactions last ten seconds at most, so none of a later minute comes before this one.
  const firstTransaction = position
    ? fragment`${transaction}::bigint`
    : fragment`coalesce((
        select min(e.tx_id) from audit_entries e
        where ${own} and e.at >= ${first} and e.at < (
          select min(e.at) from audit_entries e where ${own} and e.at >= ${first}) + interval '1 minute'), 0)`;
  const rows = await database.sql<FeedRow>`
    with feed as (
      select event_epoch() as epoch, last.tx_id as last_tx, last.position as last_position, coalesce((
        select e.at < ${start} from audit_entries e where ${own} and ${isLater} order by e.tx_id, e.position limit 1), false) as expired
      from (select) one left join lateral (
        select e.tx_id, e.position from audit_entries e
        where ${own} and e.tx_id < ${horizon}::bigint order by e.tx_id desc, e.position desc limit 1) last on true)
    select f.epoch, f.last_tx::text as "lastTransaction", f.last_position::text as "lastPosition",
      f.expired and ${position !== undefined} as "isExpired",
      e.tx_id::text as transaction, e.position::text as position, ${eventColumns}
    from feed f left join lateral (
      select e.* from audit_entries e
      where ${own} and ${isLater} and e.tx_id >= ${firstTransaction} and e.tx_id < ${horizon}::bigint and e.at >= ${first}
        and e.action = any(${actionsOf(types ?? eventTypes)})
      order by e.tx_id, e.position limit ${limit + 1}::int) e on true
    order by e.tx_id, e.position`;
  const [feed] = rows;
  if (!feed) throw new Error('The statement returns at least one row');
  if (position && (feed.isExpired || position.epoch !== feed.epoch))
    throw new AppError(
      'CURSOR_EXPIRED',
      `Events are kept for ${eventDays} days, and this cursor is older: read the resources again, and begin without after`,
    );
  return { page: toPage(feed, rows, limit, position), horizon };
}

function toPage(
  { epoch, lastTransaction, lastPosition }: FeedRow,
  rows: readonly FeedRow[],
  limit: number,
  position: FeedPosition | undefined,
): FeedPage {
  const read = rows.filter(isEvent);
  const events = read.slice(0, limit);
  const last = events.at(-1);
  const hasMore = read.length > limit;
  const end = { epoch, transaction: lastTransaction ?? '0', position: lastPosition ?? '0' };
  const next = hasMore && last ? last : isAfter(position, end) ? position : end;
  return { events: events.map(toEvent), next: toFeedCursor(next), hasMore };
}

const isAfter = (position: FeedPosition | undefined, end: FeedPosition): position is FeedPosition =>
  position !== undefined &&
  (BigInt(position.transaction) > BigInt(end.transaction) ||
    (position.transaction === end.transaction && BigInt(position.position) > BigInt(end.position)));

type EventOfFeed = EventRow & { epoch: string; transaction: string; position: string };

const isEvent = (row: FeedRow): row is FeedRow & EventOfFeed => row.id != null;
