import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma, Role } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';

type JoinOrganization = { organizationId: string; user: { id: string; createdAt: Date }; role?: Role; at: Date };

/** Makes a person a member, in the default team, if a seat is free. */
export async function joinOrganization({ organizationId, user, role = 'MEMBER', at }: JoinOrganization, tx: Prisma.TransactionClient): Promise<void> {
  const { seatLimit, defaultTeamId } = await readPlaces(organizationId, tx);
  if (seatLimit !== null) await requireSeat(organizationId, tx);
  const place = { organizationId, userId: user.id, createdAt: at };
  try {
    await tx.membership.create({ data: { ...place, userCreatedAt: user.createdAt, role }, select: { userId: true } });
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'The user is already a member of the organization');
    throw error;
  }
  await tx.teamMembership.create({ data: { ...place, teamId: defaultTeamId }, select: { teamId: true } });
}

type Places = { seatLimit: number | null; defaultTeamId: string };

async function readPlaces(organizationId: string, tx: Prisma.TransactionClient): Promise<Places> {
  const [places] = await tx.$queryRaw<Places[]>`
    select o.seat_limit as "seatLimit", t.id as "defaultTeamId"
    from organizations o join teams t on t.organization_id = o.id and t.is_default where o.id = ${organizationId}`;
  if (!places) throw new Error('the organization is gone');
  return places;
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
