import type { Transaction } from '../../platform/database/open-transaction.ts';
import { notFound } from '../../platform/errors.ts';
import type { TeamRow } from './team.ts';

/**
 * Reads a team of this organization and locks it until the transaction ends; throws NOT_FOUND for
 * one of another organization.
 */
export async function requireTeam(
  { organizationId, teamId }: { organizationId: string; teamId: string },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<TeamRow> {
  const [team] = await sql<TeamRow>`
    select id, name, is_default as "isDefault"
    from teams where id = ${teamId} and organization_id = ${organizationId} for update`;
  if (!team) throw notFound('Team');
  return team;
}
