import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { WebhookEncoding } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import type { EventData } from '../../events/event.ts';
import type { EventType } from '../../events/event-types.ts';
import { testType } from '../webhook-delivery.ts';

type ClaimDependencies = { database: Database; clock: Clock };

/** A delivery that only the holder may try until its lease ends. */
export type ClaimedDelivery = {
  id: string;
  endpointId: string;
  organizationId: string;
  eventId: string;
  eventType: EventType | typeof testType;
  eventAt: string;
  data: EventData;
  /** With the one that begins now. */
  tries: number;
  url: string;
  encoding: WebhookEncoding;
  /** Whether the last try of the endpoint that ended before the claim had failed. */
  isFailing: boolean;
  encryptedSecret: string;
  encryptedPreviousSecret: string | null;
  /** Unique for each claim, so a process that stalled cannot write after another claim. */
  holder: string;
};

export const triesMax = 10;
const perEndpointMax = 4;
const perOrganizationMax = 8;
/** The tries at once of all endpoints of an organization whose last try failed, one for each. */
const failingMax = 4;
/** The tries at once of an endpoint `e`. */
const triesOfEndpoint = fragment`case when e.failing_since is null then ${perEndpointMax}::int else 1 end`;
// Leases use the clock of the database, which all processes share.
export const leaseSeconds = 20;

/** A test is tried once: its sender wants to know at once, and can send another. */
export const triesMaxOf = fragment`case when d.event_type = ${testType} then 1 else ${triesMax} end`;
/**
 * `held`: the deliveries that this process tries. After the clock of the database has jumped ahead, or
 * the process has slept, their leases are over until it extends them.
 */
const isFree = (held: readonly string[]) =>
  fragment`(d.lease_until is null or (d.lease_until < clock_timestamp() and d.id <> all(${held}::text[])))`;

/**
 * The organizations that have a delivery that may be tried now, those with the fewest tries in
 * progress first.
 */
export async function organizationsWithWork(
  { database: { sql }, clock }: ClaimDependencies,
  held: readonly string[] = [],
): Promise<{ organizationId: string; busy: number }[]> {
  const now = clock();
  return sql<{ organizationId: string; busy: number }>`
    with busy as (
      select e.organization_id, e.id as endpoint_id, e.failing_since is not null as is_failing, count(*)::int as tries
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.lease_until >= clock_timestamp() group by e.organization_id, e.id),
    organizations as (
      select organization_id, sum(tries)::int as tries, coalesce(sum(tries) filter (where is_failing), 0)::int as failing
      from busy group by organization_id)
    select e.organization_id as "organizationId", coalesce(o.tries, 0) as busy
    from webhook_endpoints e
    left join organizations o on o.organization_id = e.organization_id
    left join busy on busy.endpoint_id = e.id
    where e.state <> 'DISABLED' and (e.paused_until is null or e.paused_until <= ${now})
      and coalesce(o.tries, 0) < ${perOrganizationMax} and coalesce(busy.tries, 0) < ${triesOfEndpoint}
      and (e.failing_since is null or coalesce(o.failing, 0) < ${failingMax})
      and exists (
        select from webhook_deliveries d
        where d.endpoint_id = e.id and d.state = 'PENDING' and d.next_try_at <= ${now} and d.tries < ${triesMaxOf} and ${isFree(held)})
    group by e.organization_id, o.tries order by busy, random()`;
}

/**
 * Claims deliveries of an organization that are due, at most `max`. Of each resource only the first
 * one that has not ended is claimed. The endpoints with the fewest tries in progress come first. An
 * endpoint whose last try failed gets one try at a time.
 * `distinct on` finds the first ones in one pass. A condition on each row that none is earlier reads
 * all that waits for each of them, if Postgres has no statistics of the table.
 */
export function claimDeliveries(
  { organizationId, max, held = [] }: { organizationId: string; max: number; held?: string[] },
  { database, clock }: ClaimDependencies,
): Promise<ClaimedDelivery[]> {
  const holder = randomUUID();
  const now = clock();
  return database.transact(async (tx) => {
    // Two processes that counted at the same time would exceed the limits together.
    const [lock] = await tx.sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`webhooks of ${organizationId}`}, 0)) as "isLocked"`;
    if (!lock?.isLocked) return [];
    const rows = await tx.commitWith<Omit<ClaimedDelivery, 'holder'>>`
      with busy as (
        select d.endpoint_id, count(*)::int as tries from webhook_deliveries d
        where d.organization_id = ${organizationId} and d.lease_until >= clock_timestamp() group by d.endpoint_id),
      due as (
        select next.id, e.failing_since is not null as is_failing, ${triesOfEndpoint} as places,
          coalesce(busy.tries, 0) + row_number() over (partition by e.id order by next.sequence) as place
        from webhook_endpoints e
        left join busy on busy.endpoint_id = e.id
        cross join lateral (
          select d.id, d.sequence from (
            select distinct on (first.resource_key) first.* from webhook_deliveries first
            where first.endpoint_id = e.id and first.state = 'PENDING' order by first.resource_key, first.sequence) d
          where d.next_try_at <= ${now} and d.tries < ${triesMaxOf} and ${isFree(held)}
          order by d.sequence limit ${triesOfEndpoint}) next
        where e.organization_id = ${organizationId} and e.state <> 'DISABLED' and (e.paused_until is null or e.paused_until <= ${now})),
      allowed as (
        select due.*, row_number() over (partition by due.is_failing order by due.place, random()) as number
        from due where due.place <= due.places),
      chosen as (
        select allowed.id from allowed
        where not allowed.is_failing or allowed.number <= ${failingMax} - (
          select coalesce(sum(busy.tries), 0) from busy join webhook_endpoints e on e.id = busy.endpoint_id where e.failing_since is not null)
        order by allowed.place, random()
        limit greatest(0, least(${max}::int, ${perOrganizationMax} - (select coalesce(sum(tries), 0)::int from busy)))),
      locked as (
        select d.id from webhook_deliveries d where d.id in (select id from chosen) and d.state = 'PENDING' and ${isFree(held)}
        for update skip locked)
      update webhook_deliveries d
      set lease_holder = ${holder}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), tries = d.tries + 1
      from webhook_endpoints e
      where d.id in (select id from locked) and e.id = d.endpoint_id
      returning d.id, d.endpoint_id as "endpointId", d.organization_id as "organizationId", d.event_id as "eventId",
        d.event_type as "eventType", d.event_at as "eventAt", d.data, d.tries, e.url, e.encoding, e.failing_since is not null as "isFailing",
        e.encrypted_secret as "encryptedSecret",
        case when e.previous_secret_until > ${now} then e.encrypted_previous_secret end as "encryptedPreviousSecret"`;
    return rows.map((row) => ({ ...row, holder }));
  });
}

type Claim = Pick<ClaimedDelivery, 'id' | 'holder'>;

/** Lets another process claim the delivery at once, without counting the try. */
export async function releaseDelivery(
  { id, holder }: Claim,
  { database: { sql } }: Pick<ClaimDependencies, 'database'>,
): Promise<void> {
  await sql`
    update webhook_deliveries set lease_holder = null, lease_until = null, tries = tries - 1
    where id = ${id} and lease_holder = ${holder} and state = 'PENDING'`;
}

/** Extends the leases of these claims. */
export async function extendLeases(
  claims: readonly Claim[],
  { database: { sql } }: Pick<ClaimDependencies, 'database'>,
): Promise<void> {
  await sql`
    update webhook_deliveries set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = any(${claims.map(({ id }) => id)}) and lease_holder = any(${claims.map(({ holder }) => holder)})`;
}
