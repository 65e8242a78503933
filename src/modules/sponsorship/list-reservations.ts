import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from './page.ts';

/**
 * A place that somebody holds. Its id is nobody's business: it is made of what the holder has in
 * hand.
 */
export type Reservation = { id: string; linkId: string; createdAt: string; expiresAt: string };

type ListReservations = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
};

/**
 * The same page of each of these campaigns' places that are held now, the last taken first;
 * undefined for a campaign of somebody else.
 */
export async function listReservations(
  { organizationId, campaignIds, page, pageSize }: ListReservations,
  { database, clock }: { database: Database; clock: Clock },
): Promise<(Page<Reservation> | undefined)[]> {
  const at = clock();
  const rows = await database.sql<PageRow<Reservation>>`
    select c.id as "ownerId", c.total, r.id, r.link_id as "linkId", r.created_at as "createdAt", r.expires_at as "expiresAt"
    from (
      select id, case when reserved_redemptions = 0 then 0 else
        (select count(*)::int from reservations where campaign_id = campaigns.id and expires_at > ${at}) end as total
      from campaigns where id = any(${campaignIds}) and organization_id = ${organizationId}) c
    left join lateral (
      select * from reservations where campaign_id = c.id and expires_at > ${at}
      order by expires_at desc, id desc limit ${pageSize} offset ${offsetOf({ page, pageSize })}) r on true
    order by r.expires_at desc, r.id desc`;
  return pagesOf(rows, campaignIds, { page, pageSize });
}
