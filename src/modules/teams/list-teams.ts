import type { Database } from '../../platform/database/database.ts';
import { type TeamRow, teamColumns } from './team.ts';

export function listTeams({ organizationId }: { organizationId: string }, { database }: { database: Database }): Promise<TeamRow[]> {
  return database.sql<TeamRow>`select ${teamColumns} from teams t where organization_id = ${organizationId} order by created_at desc, id desc`;
}
