import type { Database } from '../../../platform/database/database.ts';
import { changesSince } from '../../../platform/database/lists/changes-since.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPages } from '../../../platform/database/lists/read-pages.ts';
import { anyOf, containsName, fragment } from '../../../platform/database/sql.ts';
import { briefLinkColumns, type Link, linkColumns } from './link.ts';

const orders = {
  CREATED_AT: [{ column: fragment`l.created_at`, type: 'time', field: 'createdAt' }],
  NAME: [{ column: fragment`lower(l.name)`, type: 'text' }],
} as const;

type ListLinksInput = {
  organizationId: string;
  campaignIds: readonly string[];
  isActive?: boolean | null | undefined;
  updatedSince?: Date | null | undefined;
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
  /** True if the caller needs only the fields of `briefLink`. */
  isBrief?: boolean;
};

/**
 * Lists the same page of the links of each campaign, newest first, with one statement; undefined
 * for a campaign of another organization.
 */
export function listLinks(
  {
    organizationId,
    campaignIds,
    isActive,
    search,
    orderBy,
    updatedSince,
    isBrief = false,
  }: ListLinksInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<(Page<Link> | undefined)[]> {
  const isFiltered = isActive != null || Boolean(search || updatedSince);
  const changes = changesSince({ updatedSince, orderBy }, fragment`l.updated_at`);
  const filter = fragment`
    ${changes.condition}
    ${isActive == null ? fragment`` : fragment`and l.is_active = ${isActive}`}
    ${search ? fragment`and ${containsName(fragment`l.name`, search)}` : fragment``}`;
  const list: List = {
    name: 'links',
    table: fragment`links l`,
    alias: fragment`l`,
    condition: fragment`l.campaign_id = owner.id ${filter}`,
    order:
      changes.order ?? chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`l.id`, type: 'text', field: 'id' },
    total: isFiltered
      ? fragment`(select count(*)::int from links l where l.campaign_id = campaigns.id ${filter})`
      : fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'campaign.links' and owner_id = campaigns.id)`,
    isPlannedEachTime: isFiltered,
  };
  const columns = isBrief ? briefLinkColumns : linkColumns;
  return readPages<Link>(list, { columns }, request, database, {
    ids: campaignIds,
    select: (total) =>
      fragment`select id, ${total} as total from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId}`,
  });
}
