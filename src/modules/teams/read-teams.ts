import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type TeamRow, teamColumns } from './team.ts';

type Parts = { database: Database };

/** These teams of this organization, in the order of the ids; null for every other one. */
export async function readTeams(
  { organizationId, teamIds }: { organizationId: string; teamIds: readonly string[] },
  { database }: Parts,
): Promise<(TeamRow | null)[]> {
  const rows = await database.sql<TeamRow>`
    select ${teamColumns} from teams t where id = any(${teamIds}) and organization_id = ${organizationId}`;
  const teams = new Map(rows.map((team) => [team.id, team]));
  return teamIds.map((id) => teams.get(id) ?? null);
}

/** A team of this organization. Every other one is not found. */
export async function readTeam(
  { organizationId, teamId }: { organizationId: string; teamId: string },
  parts: Parts,
): Promise<TeamRow> {
  const [team] = await readTeams({ organizationId, teamIds: [teamId] }, parts);
  if (!team) throw notFound('Team');
  return team;
}
