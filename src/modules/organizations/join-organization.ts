import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma, Role } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment, statementOf } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';

type Membership = { organizationId: string; role?: Role; at: Date };
type JoinOrganization = Membership & { user: { id: string; createdAt: Date } };

export type Place = { seatLimit: number | null; hasSeat: boolean };

/** Makes a person a member, in the default team, if a seat is free. */
export async function joinOrganization({ user, ...membership }: JoinOrganization, tx: Prisma.TransactionClient): Promise<void> {
  const { text, values } = statementOf(fragment`
    with ${placeIn(membership.organizationId)},
    account as (select ${user.id}::text as id, ${user.createdAt}::timestamptz as created_at),
    ${joining(membership)}
    select "seatLimit", "hasSeat" from place`);
  await asNewMember(async () => requireSeat((await tx.$queryRawUnsafe<Place[]>(text, ...values))[0]));
}

/** The table `place`: the organization's default team, and whether there is a seat. */
export const placeIn = (organizationId: string): Fragment => fragment`
  place as (
    select o.seat_limit as "seatLimit", case when o.seat_limit is null then true else has_free_seat(o.id) end as "hasSeat", t.id as team_id
    from organizations o join teams t on t.organization_id = o.id and t.is_default where o.id = ${organizationId})`;

/** The table `joined`: who became a member, of the row of a table `account`, if there is a seat. */
export const joining = ({ organizationId, role = 'MEMBER', at }: Membership): Fragment => fragment`
  joined as (
    insert into memberships (organization_id, user_id, user_created_at, role, created_at)
    select ${organizationId}, account.id, account.created_at, ${role}::role, ${at}::timestamptz from account, place where "hasSeat"
    returning user_id),
  placed as (
    insert into team_memberships (team_id, user_id, organization_id, created_at)
    select team_id, user_id, ${organizationId}, ${at}::timestamptz from place, joined)`;

export async function asNewMember<T>(join: () => Promise<T>): Promise<T> {
  try {
    return await join();
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'The user is already a member of the organization');
    throw error;
  }
}

export function requireSeat(place: Place | undefined): asserts place {
  if (!place) throw new Error('the organization is gone');
  if (!place.hasSeat) throw new AppError('SEAT_LIMIT_REACHED', `All ${place.seatLimit} seats of the organization are taken`);
}
