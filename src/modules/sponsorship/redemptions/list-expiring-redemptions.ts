import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../../../platform/database/page.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

type ListExpiringRedemptionsInput = {
  organizationId: string;
  days: number;
  page: number;
  pageSize: number;
};

const dayMs = 86_400_000;

/** Lists the sponsorships that end within this number of days, soonest first. */
export async function listExpiringRedemptions(
  { organizationId, days, page, pageSize }: ListExpiringRedemptionsInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Redemption>> {
  const now = clock();
  const until = new Date(now.getTime() + days * dayMs);
  const expiring = fragment`redemptions where organization_id = ${organizationId} and sponsored_until > ${now} and sponsored_until <= ${until}`;
  const rows = await database.sql<PageRow<Redemption>>`
    select ${organizationId} as "ownerId", counts.total, ${redemptionColumns}
    from (select count(*)::int as total from ${expiring}) counts
    left join lateral (select * from ${expiring} order by sponsored_until, id limit ${pageSize} offset ${offsetOf({ page, pageSize })}) r on true
    left join campaigns c on c.id = r.campaign_id
    ${redemptionLookups}
    order by r.sponsored_until, r.id`;
  const [redemptionPage] = pagesOf(rows, [organizationId], { page, pageSize });
  return redemptionPage ?? { items: [], total: 0, page, pageSize, totalPages: 0 };
}
