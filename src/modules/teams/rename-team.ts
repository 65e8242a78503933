import { uniqueViolation } from '../../platform/database/faults.ts';
import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { readTeam } from './read-teams.ts';
import { requireTeam } from './require-team.ts';
import { nameKeyOf, type TeamRow } from './team.ts';

/** Renames a team. Without a name nothing is written. */
export async function renameTeam(
  { teamId, name }: { teamId: string; name?: string | null | undefined },
  writer: Writer,
): Promise<TeamRow> {
  const { organizationId } = writer.actor;
  if (typeof name !== 'string') return readTeam({ organizationId, teamId }, writer);
  try {
    return await change(writer, async (tx, record) => {
      const team = await requireTeam({ organizationId, teamId }, tx);
      if (team.name === name) return team;
      tx.enqueue`update teams set name = ${name}, name_key = ${nameKeyOf(name)} where id = ${teamId}`;
      record({
        action: 'rename-team',
        targetType: 'Team',
        targetId: teamId,
        changes: { name, before: team.name },
      });
      return { ...team, name };
    });
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError('CONFLICT', 'A team of this name exists already', 'TEAM_NAME_TAKEN');
    throw error;
  }
}
