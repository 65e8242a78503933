import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma, Role } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment, statementOf } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';

type Membership = { organizationId: string; role?: Role; at: Date };
type JoinOrganization = Membership & {
  user: { id: string; createdAt: Date };
  isAddedByAnother?: boolean;
};
type Joining = Membership & {
  /** False where somebody else makes the person a member: they accept later. */
  isAccepted: boolean;
  /** Whether somebody else makes an existing account a member. */
  wasAdded: Fragment;
  firstName?: string;
  lastName?: string;
};

export type Place = { seatLimit: number | null; hasSeat: boolean };

/**
 * Makes a person a member, in the default team, if a seat is free. The person has accepted by it,
 * unless another person adds them.
 */
export async function joinOrganization(
  { user, isAddedByAnother = false, ...membership }: JoinOrganization,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const { text, values } = statementOf(fragment`
    with ${placeIn(membership.organizationId)},
    account as (select ${user.id}::text as id, ${user.createdAt}::timestamptz as created_at),
    ${joining({ ...membership, isAccepted: !isAddedByAnother, wasAdded: fragment`${isAddedByAnother}::boolean` })}
    select "seatLimit", "hasSeat" from place`);
  const [place] = await asNewMember(() => tx.$queryRawUnsafe<Place[]>(text, ...values));
  // Whoever is a member already is told that, also where no seat is free.
  const key = { organizationId: membership.organizationId, userId: user.id };
  if (
    place &&
    !place.hasSeat &&
    (await tx.membership.findUnique({
      where: { organizationId_userId: key },
      select: { userId: true },
    }))
  )
    throw alreadyMember();
  requireSeat(place);
}

/** The table `place`: the organization's default team, and whether there is a seat. */
export const placeIn = (organizationId: string): Fragment => fragment`
  place as (
    select o.seat_limit as "seatLimit", case when o.seat_limit is null then true else has_free_seat(o.id) end as "hasSeat", t.id as team_id
    from organizations o join teams t on t.organization_id = o.id and t.is_default where o.id = ${organizationId})`;

/** The table `joined`: who became a member, of the row of a table `account`, if there is a seat. */
export const joining = ({
  organizationId,
  role = 'MEMBER',
  at,
  isAccepted,
  wasAdded,
  firstName = '',
  lastName = '',
}: Joining): Fragment => fragment`
  joined as (
    insert into memberships
      (organization_id, user_id, user_created_at, role, created_at, accepted_at, was_added, given_first_name, given_last_name)
    select ${organizationId}, account.id, account.created_at, ${role}::role, ${at}::timestamptz, ${isAccepted ? at : null}::timestamptz, ${wasAdded},
      ${firstName}, ${lastName} from account, place where "hasSeat"
    returning user_id),
  placed as (
    insert into team_memberships (team_id, user_id, organization_id, created_at)
    select team_id, user_id, ${organizationId}, ${at}::timestamptz from place, joined)`;

export async function asNewMember<T>(join: () => Promise<T>): Promise<T> {
  try {
    return await join();
  } catch (error) {
    if (uniqueViolation(error)) throw alreadyMember();
    throw error;
  }
}

export const alreadyMember = () =>
  new AppError('CONFLICT', 'The user is already a member of the organization');

export function requireSeat(place: Place | undefined): asserts place {
  if (!place) throw new Error('the organization is gone');
  if (!place.hasSeat)
    throw new AppError(
      'SEAT_LIMIT_REACHED',
      `All ${place.seatLimit} seats of the organization are taken`,
    );
}
