import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { changesSince } from '../../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../../platform/database/sql.ts';
import { type Campaign, campaignColumns } from './campaign.ts';

const filters = {
  ACTIVE: fragment`and c.is_active`,
  INACTIVE: fragment`and not c.is_active`,
  ALL: fragment``,
};

// The order by redemptions has no index: the index would have to change with each redemption. An
// organization has a few thousand campaigns at most.
const orders = {
  CREATED_AT: [{ column: fragment`c.created_at`, type: 'time', field: 'createdAt' }],
  NAME: [{ column: fragment`lower(c.name)`, type: 'text' }],
  COMPLETED_REDEMPTIONS: [{ column: fragment`c.completed_redemptions`, type: 'integer' }],
  EXPIRES_AT: [{ column: fragment`coalesce(c.expires_at, 'infinity')`, type: 'time' }],
} as const;

export type CampaignStatus = keyof typeof filters;

type ListCampaignsInput = {
  organizationId: string;
  status: CampaignStatus;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
  updatedSince?: Date | null | undefined;
  search?: string | null | undefined;
};

/** Lists campaigns of an organization, newest first. */
export function listCampaigns(
  { organizationId, status, orderBy, search, updatedSince }: ListCampaignsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Campaign>> {
  const changes = changesSince({ updatedSince, orderBy }, fragment`c.updated_at`);
  const condition = fragment`c.organization_id = ${organizationId} ${changes.condition} ${filters[status]} ${search ? fragment`and ${containsName(fragment`c.name`, search)}` : fragment``}`;
  const list: List = {
    name: 'campaigns',
    table: fragment`campaigns c`,
    alias: fragment`c`,
    condition,
    order:
      changes.order ?? chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`c.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from campaigns c where ${condition})`,
    isPlannedEachTime: Boolean(search),
  };
  return readPage<Campaign>(list, { columns: campaignColumns(clock()) }, request, database);
}
