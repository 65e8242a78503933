import type { Database } from '../../platform/database/database.ts';
import { changesSince } from '../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../platform/database/sql.ts';
import type { TeamRow } from './team.ts';

type ListTeamsInput = {
  organizationId: string;
  updatedSince?: Date | null | undefined;
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

const orders = {
  CREATED_AT: [{ column: fragment`t.created_at`, type: 'time', field: 'createdAt' }],
  NAME: [{ column: fragment`t.name_key`, type: 'text' }],
} as const;

/** Lists teams of an organization, newest first. */
export function listTeams(
  { organizationId, search, orderBy, updatedSince }: ListTeamsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<TeamRow>> {
  const changes = changesSince({ updatedSince, orderBy }, fragment`t.updated_at`);
  const condition = fragment`t.organization_id = ${organizationId} ${changes.condition} ${search ? fragment`and ${containsName(fragment`t.name`, search)}` : fragment``}`;
  const list: List = {
    name: 'teams',
    table: fragment`teams t`,
    alias: fragment`t`,
    condition,
    order:
      changes.order ?? chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`t.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from teams t where ${condition})`,
    isPlannedEachTime: Boolean(search),
  };
  // One statement reads the member counts of all teams; for a page, each team's own.
  const joins =
    request.size === undefined
      ? fragment`left join (
          select owner_id, sum(delta)::int as count from counter_deltas
          where counter = 'team.members' and owner_id in (select id from teams where organization_id = ${organizationId}) group by owner_id
        ) members on members.owner_id = t.id`
      : fragment`left join lateral (
          select sum(delta)::int as count from counter_deltas where counter = 'team.members' and owner_id = t.id) members on true`;
  const columns = fragment`t.id, t.name, t.is_default as "isDefault", t.created_at as "createdAt", coalesce(members.count, 0) as "memberCount"`;
  return readPage<TeamRow>(list, { columns, joins }, request, database);
}
