import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma, Role } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';

type JoinOrganization = { organizationId: string; user: { id: string; createdAt: Date }; role?: Role; at: Date };

/** Makes a person a member, in the default team, if a seat is free. */
export async function joinOrganization({ organizationId, user, role = 'MEMBER', at }: JoinOrganization, tx: Prisma.TransactionClient): Promise<void> {
  await requireSeat(organizationId, tx);
  const place = { organizationId, userId: user.id, createdAt: at };
  try {
    await tx.membership.create({ data: { ...place, userCreatedAt: user.createdAt, role }, select: { userId: true } });
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'The user is already a member of the organization');
    throw error;
  }
  const team = await tx.team.findFirstOrThrow({ where: { organizationId, isDefault: true }, select: { id: true } });
  await tx.teamMembership.create({ data: { ...place, teamId: team.id }, select: { teamId: true } });
}

// Where seats are capped, those who join wait for each other at the organization's row, so that the last seat goes once.
async function requireSeat(organizationId: string, tx: Prisma.TransactionClient): Promise<void> {
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { seatLimit: true } });
  if (organization.seatLimit === null) return;
  const [locked] = await tx.$queryRaw<{ seatLimit: number | null }[]>`select seat_limit as "seatLimit" from organizations where id = ${organizationId} for no key update`;
  const [members] = await tx.$queryRaw<{ count: number }[]>`select counted('organization.members', ${organizationId})::int as count`;
  const seatLimit = locked?.seatLimit ?? null;
  if (seatLimit !== null && members && members.count >= seatLimit) {
    throw new AppError('SEAT_LIMIT_REACHED', `All ${seatLimit} seats of the organization are taken`);
  }
}
