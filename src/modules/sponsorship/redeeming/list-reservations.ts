import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../../../platform/database/page.ts';

/**
 * A reservation as its partner sees it. The API does not expose the id: it is the hash of the token
 * that only the holder's browser has.
 */
export type Reservation = { id: string; linkId: string; createdAt: string; expiresAt: string };

type ListReservationsInput = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
};

/**
 * Lists the same page of the live reservations of each campaign, newest first; undefined for a
 * campaign of another organization.
 */
export async function listReservations(
  { organizationId, campaignIds, page, pageSize }: ListReservationsInput,
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
