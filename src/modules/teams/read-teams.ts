import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type TeamRow, teamColumns } from './team.ts';

type ReadTeamDependencies = { database: Database };

/**
 * Reads teams in the order of the ids; null for one that does not exist or belongs to another
 * organization.
 */
export async function readTeams(
  { organizationId, teamIds }: { organizationId: string; teamIds: readonly string[] },
  { database }: ReadTeamDependencies,
): Promise<(TeamRow | null)[]> {
  const rows = await database.sql<TeamRow>`
    select ${teamColumns} from teams t where id = any(${teamIds}) and organization_id = ${organizationId}`;
  const teams = new Map(rows.map((team) => [team.id, team]));
  return teamIds.map((id) => teams.get(id) ?? null);
}

/** Reads a team of this organization; throws NOT_FOUND for one of another organization. */
export async function readTeam(
  { organizationId, teamId }: { organizationId: string; teamId: string },
  dependencies: ReadTeamDependencies,
): Promise<TeamRow> {
  const [team] = await readTeams({ organizationId, teamIds: [teamId] }, dependencies);
  if (!team) throw notFound('Team');
  return team;
}
