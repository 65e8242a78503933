import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { runningSponsorships } from '../summary/running-sponsorships.ts';
import { type RedemptionOrder, redemptionOrder } from './list-redemptions.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

type ListExpiringRedemptionsInput = {
  organizationId: string;
  days: number;
  orderBy?: RedemptionOrder | null | undefined;
};

const dayMs = 86_400_000;

/** Lists the sponsorships that end within this number of days, soonest first. */
export function listExpiringRedemptions(
  { organizationId, days, orderBy }: ListExpiringRedemptionsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Redemption>> {
  const now = clock();
  const until = new Date(now.getTime() + days * dayMs);
  const condition = fragment`r.organization_id = ${organizationId} and r.sponsored_until > ${now} and r.sponsored_until <= ${until}`;
  const list: List = {
    name: 'expiring-redemptions',
    table: fragment`redemptions r`,
    alias: fragment`r`,
    condition,
    order: redemptionOrder(orderBy ?? { field: 'SPONSORED_UNTIL', direction: 'ASC' }),
    id: { column: fragment`r.id`, type: 'text' },
    total: fragment`(select coalesce(sum(sponsorships), 0)::int
      from ${runningSponsorships({ organizationId, boundaries: [until] }, now)} running where ends_at <= ${until})`,
  };
  const joins = fragment`left join campaigns c on c.id = r.campaign_id ${redemptionLookups}`;
  return readPage<Redemption>(list, { columns: redemptionColumns, joins }, request, database);
}
