import { uniqueViolation } from '../../platform/database/faults.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { nameKeyOf, type TeamRow } from './team.ts';

export async function createTeam({ name }: { name: string }, writer: Writer): Promise<TeamRow> {
  const { organizationId } = writer.actor;
  try {
    return await change(writer, async (tx, record, at) => {
      const team = await tx.team.create({
        data: { id: newId(at.getTime()), organizationId, name, nameKey: nameKeyOf(name), createdAt: at },
        select: { id: true, name: true, isDefault: true },
      });
      await record({ action: 'create-team', targetType: 'Team', targetId: team.id, changes: { name } });
      return team;
    });
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'A team of this name exists already');
    throw error;
  }
}
