import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';

type RemoveTeamUserInput = { teamId: string; userId: string };

export async function removeTeamUser(
  { teamId, userId }: RemoveTeamUserInput,
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await changeRows<{ isRemoved: boolean }, void>(
    writer,
    () => ({
      before: fragment`team as (select id from teams where id = ${teamId} and organization_id = ${organizationId} for key share),`,
      statement: fragment`
        delete from team_memberships m using team where m.team_id = team.id and m.user_id = ${userId} and m.organization_id = ${organizationId}
        returning m.team_id`,
      rowsMax: 1,
      entry: {
        action: 'remove-team-user',
        targetType: 'Team',
        targetId: teamId,
        changes: { userId },
      },
      answer: fragment`select exists (select from changed) as "isRemoved" from team`,
    }),
    ([team]) => {
      if (!team) throw notFound('Team');
      if (!team.isRemoved) throw notFound('Team membership');
    },
  );
}
