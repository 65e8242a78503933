import { uniqueViolation } from '../../platform/database/faults.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';
import { nameKeyOf, type TeamRow, teamColumns } from './team.ts';

export async function createTeam({ name }: { name: string }, writer: Writer): Promise<TeamRow> {
  const { organizationId } = writer.actor;
  try {
    return await changeRow<TeamRow>(writer, 'Team', (at) => {
      const id = newId(at.getTime());
      return {
        statement: fragment`
          insert into teams as t (id, organization_id, name, name_key, created_at) values (${id}, ${organizationId}, ${name}, ${nameKeyOf(name)}, ${at})
          returning ${teamColumns}`,
        entry: { action: 'create-team', targetType: 'Team', targetId: id, changes: { name } },
      };
    });
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError('CONFLICT', 'A team of this name exists already', 'TEAM_NAME_TAKEN');
    throw error;
  }
}
