import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from './page.ts';
import { type Redemption, redemptionColumns, redemptionPlaces } from './redemption.ts';

type ListExpiringRedemptions = {
  organizationId: string;
  days: number;
  page: number;
  pageSize: number;
};

const dayMs = 86_400_000;

/** The sponsorships that end within so many days, the first to end first. */
export async function listExpiringRedemptions(
  { organizationId, days, page, pageSize }: ListExpiringRedemptions,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Redemption>> {
  const now = clock();
  const until = new Date(now.getTime() + days * dayMs);
  const wanted = fragment`redemptions where organization_id = ${organizationId} and sponsored_until > ${now} and sponsored_until <= ${until}`;
  const rows = await database.sql<PageRow<Redemption>>`
    select ${organizationId} as "ownerId", asked.total, ${redemptionColumns}
    from (select count(*)::int as total from ${wanted}) asked
    left join lateral (select * from ${wanted} order by sponsored_until, id limit ${pageSize} offset ${offsetOf({ page, pageSize })}) r on true
    left join campaigns c on c.id = r.campaign_id
    ${redemptionPlaces}
    order by r.sponsored_until, r.id`;
  const [found] = pagesOf(rows, [organizationId], { page, pageSize });
  return found ?? { items: [], total: 0, page, pageSize, totalPages: 0 };
}
