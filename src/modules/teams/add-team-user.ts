import { uniqueViolation } from '../../platform/database/faults.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import type { TeamRow } from './team.ts';

type AddTeamUserInput = { teamId: string; userId: string };
type AddTeamUserRow = TeamRow & { isMember: boolean };

export async function addTeamUser(
  { teamId, userId }: AddTeamUserInput,
  writer: Writer,
): Promise<TeamRow> {
  const { organizationId } = writer.actor;
  try {
    return await changeRows<AddTeamUserRow, TeamRow>(
      writer,
      (at) => ({
        // Both rows are locked, so that a concurrent removal of the team or the member waits and
        // then also deletes the new row.
        before: fragment`
          team as (select id, name, is_default from teams where id = ${teamId} and organization_id = ${organizationId} for key share),
          member as (select user_id from memberships where organization_id = ${organizationId} and user_id = ${userId} for key share),`,
        statement: fragment`
          insert into team_memberships (team_id, user_id, organization_id, created_at)
          select team.id, member.user_id, ${organizationId}, ${at} from team, member
          returning team_id`,
        rowsMax: 1,
        entry: {
          action: 'add-team-user',
          targetType: 'Team',
          targetId: teamId,
          changes: { userId },
        },
        answer: fragment`select id, name, is_default as "isDefault", exists (select from member) as "isMember" from team`,
      }),
      ([row]) => {
        if (!row) throw notFound('Team');
        const { isMember, ...team } = row;
        if (!isMember) throw notFound('User');
        return team;
      },
    );
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError('CONFLICT', 'The user is already in the team', 'ALREADY_IN_TEAM');
    throw error;
  }
}
