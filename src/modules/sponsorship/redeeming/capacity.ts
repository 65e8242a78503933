import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { type Fragment, fragment, type Sql } from '../../../platform/database/sql.ts';

// The three statements that reserve, consume and release capacity. Why they are correct under READ
// COMMITTED:
// - All of them lock in the same order: the person, reservations by id, the campaign, the link. So no two
//   transactions can wait for each other.
// - A reservation leaves the counter in the statement that deletes its row, and a row is deleted
//   only once: FOR UPDATE waits for a row that another transaction is deleting, and then skips it.
//   Reservations are never updated.
// - The statement locks the campaign's row after it has computed `released_counts`. If the row has
//   changed since the statement began, Postgres evaluates SET and RETURNING again on its newest
//   version, with `released_counts` unchanged (EvalPlanQual). So the decision whether capacity is
//   left uses counters that no other transaction can change before the commit.
// - RETURNING sees only the new row. The column `last_reservation_id` carries the decision from SET
//   to RETURNING: it is not null if this statement granted capacity.

/** A reservation can be renewed, but ends at most this long after it was first made. */
const reservationLifetimeMax = '2 hours';

/** The database, or a transaction. */
type SqlExecutor = { sql: Sql };
/**
 * `currentReservationId` is the reservation of the browser, and `userId` the person, if they are
 * signed in. The reservations of either are the person's own, which are consumed or replaced.
 */
type CapacityRequest = {
  campaignId: string;
  linkId: string;
  currentReservationId: string | null;
  userId: string | null;
  at: Date;
};
/**
 * The networks that a reservation counts for: the IPv4 address or IPv6 /64, and the /24 or /48
 * around it.
 */
export type ReservationNetwork = { network: string; wideNetwork: string };

/**
 * Deletes the expired reservations of the campaign, and the person's own.
 * `isAccepted` is the condition under which their own reservation still grants capacity.
 */
const releaseReservations = (
  { campaignId, currentReservationId, userId, at }: CapacityRequest,
  isAccepted: Fragment,
) => fragment`
  locked as (
    select id, created_at, network, wide_network, ${isAccepted} and expires_at > ${at} as "isLive" from reservations
    where campaign_id = ${campaignId} and (expires_at <= ${at} or id = ${currentReservationId} or user_id = ${userId})
    order by id for update),
  released as (delete from reservations r using locked where r.id = locked.id returning locked.*),
  released_counts as (select count(*)::int as released, coalesce(bool_or("isLive"), false) as "hasReservation" from released)`;

/** A live reservation always grants capacity, whatever has changed in the campaign since. */
const canGrant = ({ at }: CapacityRequest, allowsNew: boolean) => fragment`
  (released_counts."hasReservation" or (${allowsNew} and c.is_active and (c.expires_at is null or c.expires_at > ${at})
   and (c.max_redemptions is null or c.completed_redemptions + c.reserved_redemptions - released_counts.released < c.max_redemptions)))`;

type ReserveCapacityInput = CapacityRequest &
  ReservationNetwork & { reservationId: string; expiresAt: Date; allowsNew: boolean };

/**
 * Reserves capacity until `expiresAt`: replaces the person's live reservation or, if `allowsNew`,
 * takes free capacity. Returns null if neither is possible. A renewed reservation keeps its start
 * and its network, and ends at most two hours after that start.
 */
export async function reserveCapacity(
  { allowsNew, ...request }: ReserveCapacityInput,
  { sql, enqueue }: Pick<Transaction, 'sql' | 'enqueue'>,
): Promise<{ isRenewed: boolean; expiresAt: Date } | null> {
  const { campaignId, linkId, userId, reservationId, at, expiresAt } = request;
  const { network, wideNetwork } = request;
  // Parallel requests of a person would not see each other's new reservations.
  if (userId !== null)
    enqueue`select pg_advisory_xact_lock(hashtextextended(${`reservation of ${userId} in ${campaignId}`}, 0))`;
  const isGranted = canGrant(request, allowsNew);
  // A reservation at another link of the same campaign is replaced as well; otherwise the person
  // would lose it when the campaign is full.
  const atAnyLink = fragment`true`;
  const [result] = await sql<{ isGranted: boolean; isRenewed: boolean; expiresAt: string }>`
    with ${releaseReservations(request, atAnyLink)},
    decision as (
      update campaigns c set
        reserved_redemptions = c.reserved_redemptions - released_counts.released + case when ${isGranted} then 1 else 0 end,
        last_reservation_id = case when ${isGranted} then ${reservationId} end
      from released_counts where c.id = ${campaignId}
      returning c.id, c.organization_id, c.last_reservation_id is not null as "isGranted"),
    reserved as (
      insert into reservations (id, campaign_id, organization_id, link_id, user_id, created_at, expires_at, network, wide_network)
      select ${reservationId}, decision.id, organization_id, ${linkId}, ${userId}, coalesce(renewed.created_at, ${at}),
        least(${expiresAt}, renewed.created_at + ${reservationLifetimeMax}::interval), coalesce(renewed.network, ${network}), coalesce(renewed.wide_network, ${wideNetwork})
      from decision left join (select * from released where "isLive" order by created_at limit 1) renewed on true
      where "isGranted" returning expires_at)
    select "isGranted", released_counts."hasReservation" as "isRenewed", (select expires_at from reserved) as "expiresAt" from decision, released_counts`;
  return result?.isGranted
    ? { isRenewed: result.isRenewed, expiresAt: new Date(result.expiresAt) }
    : null;
}

/** The terms of a campaign at the moment of a redemption. */
export type RedemptionTerms = {
  durationMonths: number;
  includedSeats: number | null;
  pricingModel: string | null;
  /** A decimal number, which a number of JavaScript could round. */
  pricingAmountEur: string | null;
  pricingUnit: string | null;
};

type ConsumeCapacityInput = CapacityRequest & { currentReservationId: string; allowsNew: boolean };

/**
 * Turns a reservation into a completed redemption. Without a live reservation, and if `allowsNew`,
 * it takes free capacity. Returns null if neither is possible.
 */
export async function consumeCapacity(
  { allowsNew, ...request }: ConsumeCapacityInput,
  { sql }: SqlExecutor,
): Promise<RedemptionTerms | null> {
  const { campaignId, linkId, currentReservationId } = request;
  const isGranted = canGrant(request, allowsNew);
  const [result] = await sql<RedemptionTerms & { isGranted: boolean }>`
    with ${releaseReservations(request, fragment`link_id = ${linkId}`)},
    decision as (
      update campaigns c set
        reserved_redemptions = c.reserved_redemptions - released_counts.released,
        completed_redemptions = c.completed_redemptions + case when ${isGranted} then 1 else 0 end,
        last_reservation_id = case when ${isGranted} then ${currentReservationId} end
      from released_counts where c.id = ${campaignId}
      returning c.*, c.last_reservation_id is not null as "isGranted"),
    counted_link as (
      update links l set completed_redemptions = l.completed_redemptions + 1 from decision where l.id = ${linkId} and decision."isGranted")
    select "isGranted", duration_months as "durationMonths", included_seats as "includedSeats",
      pricing_model as "pricingModel", pricing_amount_eur as "pricingAmountEur", pricing_unit as "pricingUnit"
    from decision`;
  if (!result?.isGranted) return null;
  const { isGranted: _, ...terms } = result;
  return terms;
}

/** Releases a reservation. Returns false if it no longer exists. */
export async function releaseCapacity(
  { reservationId }: { reservationId: string },
  { sql }: SqlExecutor,
): Promise<boolean> {
  const campaigns = await sql`
    with released as (delete from reservations where id = ${reservationId} returning campaign_id)
    update campaigns c set reserved_redemptions = c.reserved_redemptions - 1 from released where c.id = released.campaign_id
    returning c.id`;
  return campaigns.length > 0;
}
