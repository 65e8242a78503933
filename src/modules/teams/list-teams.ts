import type { Database } from '../../platform/database/database.ts';
import type { TeamRow } from './team.ts';

/** Lists all teams of an organization. One statement reads the member counts of all of them. */
export function listTeams(
  { organizationId }: { organizationId: string },
  { database }: { database: Database },
): Promise<TeamRow[]> {
  return database.sql<TeamRow>`
    select t.id, t.name, t.is_default as "isDefault", coalesce(members.count, 0) as "memberCount"
    from teams t left join (
      select owner_id, sum(delta)::int as count from counter_deltas
      where counter = 'team.members' and owner_id in (select id from teams where organization_id = ${organizationId}) group by owner_id
    ) members on members.owner_id = t.id
    where t.organization_id = ${organizationId} order by t.created_at desc, t.id desc`;
}
