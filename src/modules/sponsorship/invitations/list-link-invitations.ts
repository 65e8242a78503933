import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPages } from '../../../platform/database/lists/read-pages.ts';
import { anyOf, containsName, fragment } from '../../../platform/database/sql.ts';
import {
  type LinkInvitation,
  type LinkInvitationState,
  linkInvitationColumns,
  stateAt,
} from './link-invitation.ts';

const orders = {
  CREATED_AT: [{ column: fragment`i.created_at`, type: 'time' }],
  EXPIRES_AT: [{ column: fragment`i.expires_at`, type: 'time' }],
  EMAIL: [{ column: fragment`i.email`, type: 'text' }],
} as const;

type ListLinkInvitationsInput = {
  organizationId: string;
  linkIds: readonly string[];
  state?: LinkInvitationState | null | undefined;
  /** Text in the e-mail address. */
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/**
 * Lists the same page of the invitations of each link, newest first, with one statement; undefined
 * for a link of another organization.
 */
export function listLinkInvitations(
  { organizationId, linkIds, state, search, orderBy }: ListLinkInvitationsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<(Page<LinkInvitation> | undefined)[]> {
  const filter = fragment`
    ${state ? fragment`and ${stateAt(clock())} = ${state}` : fragment``}
    ${search ? fragment`and ${containsName(fragment`i.email`, search)}` : fragment``}`;
  const list: List = {
    name: 'link invitations',
    table: fragment`link_invitations i`,
    alias: fragment`i`,
    condition: fragment`i.link_id = owner.id ${filter}`,
    order: chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`i.id`, type: 'text' },
    total: fragment`(select count(*)::int from link_invitations i where i.link_id = links.id ${filter})`,
    isPlannedEachTime: Boolean(state ?? search),
  };
  return readPages<LinkInvitation>(list, { columns: linkInvitationColumns }, request, database, {
    ids: linkIds,
    select: (total) =>
      fragment`select id, ${total} as total from links where id ${anyOf(linkIds)} and organization_id = ${organizationId}`,
  });
}
