import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from './require-team.ts';

type RemoveTeamUser = { teamId: string; userId: string };

export async function removeTeamUser({ teamId, userId }: RemoveTeamUser, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    await requireTeam({ organizationId, teamId }, tx);
    const { count } = await tx.teamMembership.deleteMany({ where: { teamId, userId, organizationId } });
    if (count === 0) throw notFound('Team membership');
    await record({ action: 'remove-team-user', targetType: 'Team', targetId: teamId, changes: { userId } });
  });
}
