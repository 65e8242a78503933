import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPages } from '../../../platform/database/lists/read-pages.ts';
import { anyOf, fragment } from '../../../platform/database/sql.ts';

/**
 * A reservation as its partner sees it. The API does not expose the id: it is the hash of the token
 * that only the holder's browser has.
 */
export type Reservation = { id: string; linkId: string; createdAt: string; expiresAt: string };

type ListReservationsInput = {
  organizationId: string;
  campaignIds: readonly string[];
  orderBy?: OrderInput<'EXPIRES_AT'> | null | undefined;
};

/**
 * Lists the same page of the live reservations of each campaign, newest first; undefined for a
 * campaign of another organization.
 */
export function listReservations(
  { organizationId, campaignIds, orderBy }: ListReservationsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<(Page<Reservation> | undefined)[]> {
  const at = clock();
  const list: List = {
    name: 'reservations',
    table: fragment`reservations r`,
    alias: fragment`r`,
    condition: fragment`r.campaign_id = owner.id and r.expires_at > ${at}`,
    order: chooseOrder(
      { EXPIRES_AT: [{ column: fragment`r.expires_at`, type: 'time' }] },
      orderBy,
      {
        field: 'EXPIRES_AT',
        direction: 'DESC',
      },
    ),
    // A cursor must not contain the id.
    id: { column: fragment`md5(r.id)`, type: 'text' },
    total: fragment`case when reserved_redemptions = 0 then 0 else
      (select count(*)::int from reservations where campaign_id = campaigns.id and expires_at > ${at}) end`,
    isReadFromStart: true,
  };
  const columns = fragment`r.id, r.link_id as "linkId", r.created_at as "createdAt", r.expires_at as "expiresAt"`;
  return readPages<Reservation>(list, { columns }, request, database, {
    ids: campaignIds,
    select: (total) =>
      fragment`select id, ${total} as total from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId}`,
  });
}
