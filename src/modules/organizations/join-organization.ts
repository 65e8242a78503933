import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma, Role } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';

type JoinOrganization = { organizationId: string; user: { id: string; createdAt: Date }; role?: Role; at: Date };

/** Makes a person a member, in the default team, if a seat is free. */
export async function joinOrganization({ organizationId, user, role = 'MEMBER', at }: JoinOrganization, tx: Prisma.TransactionClient): Promise<void> {
  // Most organizations have no cap, so the one statement is tried first that needs none.
  const join = (hasSeat: boolean) => tx.$queryRaw<{ seatLimit: number | null }[]>`
    with place as (
      select o.seat_limit, t.id as team_id from organizations o join teams t on t.organization_id = o.id and t.is_default where o.id = ${organizationId}),
    joined as (
      insert into memberships (organization_id, user_id, user_created_at, role, created_at)
      select ${organizationId}, ${user.id}, ${user.createdAt}, ${role}::role, ${at} from place where ${hasSeat} or seat_limit is null
      returning user_id),
    placed as (
      insert into team_memberships (team_id, user_id, organization_id, created_at)
      select team_id, user_id, ${organizationId}, ${at} from place, joined)
    select seat_limit as "seatLimit" from place`;
  try {
    const [place] = await join(false);
    if (!place) throw new Error('the organization is gone');
    if (place.seatLimit === null) return;
    await requireSeat(organizationId, tx);
    await join(true);
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'The user is already a member of the organization');
    throw error;
  }
}

// Where seats are capped, those who join wait for each other at the organization's row, so that the last seat goes once.
async function requireSeat(organizationId: string, tx: Prisma.TransactionClient): Promise<void> {
  const [locked] = await tx.$queryRaw<{ seatLimit: number | null }[]>`
    select seat_limit as "seatLimit" from organizations where id = ${organizationId} for no key update`;
  const [members] = await tx.$queryRaw<{ count: number }[]>`select counted('organization.members', ${organizationId})::int as count`;
  const seatLimit = locked?.seatLimit ?? null;
  if (seatLimit !== null && members && members.count >= seatLimit) {
    throw new AppError('SEAT_LIMIT_REACHED', `All ${seatLimit} seats of the organization are taken`);
  }
}
