import { Prisma } from '../../platform/database/generated/client.ts';

// The three statements that move places. Why they are right under READ COMMITTED:
// - All lock in one order: reservations by id, the campaign, the link. So nobody waits in a circle.
// - A reservation leaves the count in the statement that deletes its row, and a row is deleted once: one that somebody else
//   deletes meanwhile is waited for and then skipped by FOR UPDATE. Reservations are never updated.
// - The campaign's row is locked after `room` is known. Where the row has changed since the statement began, Postgres works
//   SET and RETURNING out again on its newest version, with `room` as it was (EvalPlanQual). So whether a place is free is
//   decided on counts that nobody else can change before we commit.
// - RETURNING sees only the new row: `last_reservation_id` tells it whether this statement gave a place.

const renewableFor = '2 hours';

type Executor = Pick<Prisma.TransactionClient, '$queryRaw'>;
/** `heldId` is the person's reservation, which is to be used or replaced. */
type Asked = { campaignId: string; linkId: string; heldId: string | null; at: Date };
/**
 * The networks that a reservation counts for: the IPv4 address or IPv6 /64, and the /24 or /48
 * around it.
 */
export type ReservationNetwork = { network: string; wideNetwork: string };

/**
 * Deletes what has lapsed in the campaign, and the person's reservation if it is there. `counting`
 * says at which links it holds.
 */
const freeing = ({ campaignId, heldId, at }: Asked, counting: Prisma.Sql) => Prisma.sql`
  gone as (
    select id, created_at, network, wide_network, id = ${heldId} and ${counting} and expires_at > ${at} as "isLive" from reservations
    where campaign_id = ${campaignId} and (expires_at <= ${at} or id = ${heldId})
    order by id for update),
  freed as (delete from reservations r using gone where r.id = gone.id returning gone.*),
  room as (select count(*)::int as freed, coalesce(bool_or("isLive"), false) as "isHeld" from freed)`;

/** A live reservation is a promise: it holds whatever was changed in the campaign meanwhile. */
const isGiven = ({ at }: Asked, orTakeNew: boolean) => Prisma.sql`
  (room."isHeld" or (${orTakeNew} and c.is_active and (c.expires_at is null or c.expires_at > ${at})
   and (c.max_redemptions is null or c.completed_redemptions + c.reserved_redemptions - room.freed < c.max_redemptions)))`;

type ReserveCapacity = Asked &
  ReservationNetwork & { reservationId: string; expiresAt: Date; orTakeNew: boolean };

/**
 * Reserves until a time: in exchange for a live reservation or, where `orTakeNew`, a free place.
 * Null where there is neither. A renewed reservation keeps its beginning and its network, and ends
 * two hours after that beginning at the latest.
 */
export async function reserveCapacity(
  { orTakeNew, ...asked }: ReserveCapacity,
  executor: Executor,
): Promise<{ isRenewed: boolean; expiresAt: Date } | null> {
  const { campaignId, linkId, reservationId, at, expiresAt, network, wideNetwork } = asked;
  const given = isGiven(asked, orTakeNew);
  // A place that is held at another link of the campaign is replaced as well: who is refused would
  // lose it otherwise.
  const anyLink = Prisma.sql`true`;
  const [held] = await executor.$queryRaw<
    { isGiven: boolean; isRenewed: boolean; expiresAt: Date }[]
  >`
    with ${freeing(asked, anyLink)},
    decided as (
      update campaigns c set
        reserved_redemptions = c.reserved_redemptions - room.freed + case when ${given} then 1 else 0 end,
        last_reservation_id = case when ${given} then ${reservationId} end
      from room where c.id = ${campaignId}
      returning c.id, c.organization_id, c.last_reservation_id is not null as "isGiven"),
    reserved as (
      insert into reservations (id, campaign_id, organization_id, link_id, created_at, expires_at, network, wide_network)
      select ${reservationId}, decided.id, organization_id, ${linkId}, coalesce(renewed.created_at, ${at}),
        least(${expiresAt}, renewed.created_at + ${renewableFor}::interval), coalesce(renewed.network, ${network}), coalesce(renewed.wide_network, ${wideNetwork})
      from decided left join freed renewed on renewed."isLive" where "isGiven" returning expires_at)
    select "isGiven", room."isHeld" as "isRenewed", (select expires_at from reserved) as "expiresAt" from decided, room`;
  return held?.isGiven ? { isRenewed: held.isRenewed, expiresAt: held.expiresAt } : null;
}

/** The terms of a campaign at the moment in which a place was used. */
export type Terms = {
  durationMonths: number;
  includedSeats: number | null;
  pricingModel: string | null;
  pricingAmountEur: Prisma.Decimal | null;
  pricingUnit: string | null;
};

type ConsumeCapacity = Asked & { heldId: string; orTakeNew: boolean };

/**
 * Turns a held place into a used one; without a live reservation, and where `orTakeNew`, any place
 * that is free.
 */
export async function consumeCapacity(
  { orTakeNew, ...asked }: ConsumeCapacity,
  executor: Executor,
): Promise<Terms | null> {
  const { campaignId, linkId, heldId } = asked;
  const given = isGiven(asked, orTakeNew);
  const [used] = await executor.$queryRaw<(Terms & { isGiven: boolean })[]>`
    with ${freeing(asked, Prisma.sql`link_id = ${linkId}`)},
    decided as (
      update campaigns c set
        reserved_redemptions = c.reserved_redemptions - room.freed,
        completed_redemptions = c.completed_redemptions + case when ${given} then 1 else 0 end,
        last_reservation_id = case when ${given} then ${heldId} end
      from room where c.id = ${campaignId}
      returning c.*, c.last_reservation_id is not null as "isGiven"),
    counted as (
      update links l set completed_redemptions = l.completed_redemptions + 1 from decided where l.id = ${linkId} and decided."isGiven")
    select "isGiven", duration_months as "durationMonths", included_seats as "includedSeats",
      pricing_model as "pricingModel", pricing_amount_eur as "pricingAmountEur", pricing_unit as "pricingUnit"
    from decided`;
  if (!used?.isGiven) return null;
  const { isGiven: _, ...terms } = used;
  return terms;
}

/**
 * Gives a held place back, and tells whether it was one; nothing happens where it is not held any
 * more.
 */
export async function releaseCapacity(
  { reservationId }: { reservationId: string },
  executor: Executor,
): Promise<boolean> {
  const freed = await executor.$queryRaw<unknown[]>`
    with freed as (delete from reservations where id = ${reservationId} returning campaign_id)
    update campaigns c set reserved_redemptions = c.reserved_redemptions - 1 from freed where c.id = freed.campaign_id
    returning c.id`;
  return freed.length > 0;
}
