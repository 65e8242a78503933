import type { Database } from '../../platform/database/database.ts';
import { type TeamRow, teamColumns } from '../teams/team.ts';
import type { Person } from './access.ts';

/**
 * The teams that a person can share an assistant with, by name: their own teams, and every team of
 * the organization for an administrator.
 */
export function listSharingTeams(
  { person }: { person: Person },
  { database }: { database: Database },
): Promise<TeamRow[]> {
  const { organizationId, userId, isAdmin } = person;
  return database.sql<TeamRow>`
    select ${teamColumns} from teams t
    where t.organization_id = ${organizationId}
      and (${isAdmin} or t.id in (select team_id from team_memberships where organization_id = ${organizationId} and user_id = ${userId}))
    order by lower(t.name), t.id`;
}
