import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { TeamRow } from './team.ts';

/** A team of this organization. Every other one is not found. */
export async function readTeam({ organizationId, teamId }: { organizationId: string; teamId: string }, { database }: { database: Database }): Promise<TeamRow> {
  const [team] = await database.sql<TeamRow>`
    select id, name, is_default as "isDefault"
    from teams where id = ${teamId} and organization_id = ${organizationId}`;
  if (!team) throw notFound('Team');
  return team;
}
