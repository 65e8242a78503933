import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Role } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';

type NewMembership = { organizationId: string; role?: Role; at: Date };
type JoinOrganizationInput = NewMembership & {
  user: { id: string; createdAt: Date | string };
  isAddedByAnother?: boolean;
};
type InsertMembershipInput = NewMembership & {
  /** False if somebody else adds the person, who accepts later. */
  isAccepted: boolean;
  /** SQL for whether somebody else adds an existing account. */
  wasAdded: Fragment;
  firstName?: string | Fragment;
  lastName?: string | Fragment;
  /** False: an existing member is skipped instead of a violation of the unique key. */
  refusesMembers?: boolean;
};

export type SeatCheck = { seatLimit: number | null; hasSeat: boolean };

/**
 * Makes a person a member and adds them to the default team, if a seat is free. The membership
 * counts as accepted unless another person adds them.
 */
export async function joinOrganization(
  { user, isAddedByAnother = false, ...membership }: JoinOrganizationInput,
  tx: Pick<Transaction, 'sql'>,
): Promise<void> {
  const [seat] = await refuseExistingMember(
    () => tx.sql<SeatCheck>`
      with ${selectSeat(membership.organizationId)},
      account as (select ${user.id}::text as id, ${user.createdAt}::timestamptz as created_at),
      ${insertMembership({ ...membership, isAccepted: !isAddedByAnother, wasAdded: fragment`${isAddedByAnother}::boolean` })}
      select "seatLimit", "hasSeat" from seat`,
  );
  // An existing member gets CONFLICT, even if no seat is free.
  if (seat && !seat.hasSeat) {
    const members = await tx.sql`
      select user_id from memberships where organization_id = ${membership.organizationId} and user_id = ${user.id}`;
    if (members.length > 0) throw alreadyMember();
  }
  requireSeat(seat);
}

/**
 * SQL for the table `seat`: the organization's default team, the number of free seats, which is null
 * without a limit, and whether one is free.
 */
export const selectSeat = (organizationId: string): Fragment => fragment`
  seat as (
    select *, coalesce(free_seats > 0, true) as "hasSeat" from (
      select o.seat_limit as "seatLimit", case when o.seat_limit is null then null else free_seats(o.id) end as free_seats, t.id as team_id
      from organizations o join teams t on t.organization_id = o.id and t.is_default where o.id = ${organizationId}) counted_seats)`;

/**
 * SQL for the table `joined`: inserts a membership for each row of a table `account` if the table
 * `seat` has a free seat, and adds the new members to the default team.
 */
export const insertMembership = ({
  organizationId,
  role = 'MEMBER',
  at,
  isAccepted,
  wasAdded,
  firstName = '',
  lastName = '',
  refusesMembers = true,
}: InsertMembershipInput): Fragment => fragment`
  joined as (
    insert into memberships
      (organization_id, user_id, user_created_at, role, created_at, accepted_at, was_added, given_first_name, given_last_name)
    select ${organizationId}, account.id, account.created_at, ${role}::role, ${at}::timestamptz, ${isAccepted ? at : null}::timestamptz, ${wasAdded},
      ${firstName}, ${lastName} from account, seat where "hasSeat"
    ${refusesMembers ? fragment`` : fragment`on conflict (organization_id, user_id) do nothing`}
    returning user_id),
  joined_team as (
    insert into team_memberships (team_id, user_id, organization_id, created_at)
    select team_id, user_id, ${organizationId}, ${at}::timestamptz from seat, joined)`;

/** Runs an insert of a membership and answers CONFLICT if the person is already a member. */
export async function refuseExistingMember<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (uniqueViolation(error)?.constraint === 'memberships_pkey') throw alreadyMember();
    throw error;
  }
}

export const alreadyMember = () =>
  new AppError('CONFLICT', 'The user is already a member of the organization', 'USER_IS_MEMBER');

export function requireSeat(seat: SeatCheck | undefined): asserts seat {
  if (!seat) throw new Error('the organization is gone');
  if (!seat.hasSeat) throw noFreeSeat(seat);
}

export const noFreeSeat = ({ seatLimit }: Pick<SeatCheck, 'seatLimit'>) =>
  new AppError('SEAT_LIMIT_REACHED', `All ${seatLimit} seats of the organization are taken`);
