import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from './require-team.ts';

/** Removes all members from the team and deletes it. */
export async function deleteTeam({ teamId }: { teamId: string }, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    const team = await requireTeam({ organizationId, teamId }, tx);
    if (team.isDefault)
      throw new AppError('FORBIDDEN', 'The default team can not be deleted', 'DEFAULT_TEAM');
    const [removed] = await tx.sql<{ count: number }>`
      with removed as (
        delete from team_memberships where team_id = ${teamId} and organization_id = ${organizationId} returning 1)
      select count(*)::int as count from removed`;
    tx.enqueue`delete from teams where id = ${teamId}`;
    record({
      action: 'delete-team',
      targetType: 'Team',
      targetId: teamId,
      changes: { name: team.name, membersRemoved: removed?.count ?? 0 },
    });
  });
}
