import { uniqueViolation } from '../../platform/database/faults.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from './require-team.ts';
import type { TeamRow } from './team.ts';

type AddTeamUser = { teamId: string; userId: string };

export async function addTeamUser({ teamId, userId }: AddTeamUser, writer: Writer): Promise<TeamRow> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const team = await requireTeam({ organizationId, teamId }, tx);
    // Held, so that a removal at the same moment waits and takes the new row along.
    const [membership] = await tx.$queryRaw<{ userId: string }[]>`
      select user_id as "userId" from memberships where organization_id = ${organizationId} and user_id = ${userId} for key share`;
    if (!membership) throw notFound('User');
    try {
      await tx.teamMembership.create({ data: { teamId, userId, organizationId, createdAt: at }, select: { teamId: true } });
    } catch (error) {
      if (uniqueViolation(error)) throw new AppError('CONFLICT', 'The user is already in the team');
      throw error;
    }
    await record({ action: 'add-team-user', targetType: 'Team', targetId: teamId, changes: { userId } });
    return team;
  });
}
