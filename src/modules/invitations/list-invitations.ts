import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../platform/database/sql.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

const orders = {
  CREATED_AT: [{ column: fragment`i.created_at`, type: 'time' }],
  EXPIRES_AT: [{ column: fragment`i.expires_at`, type: 'time' }],
} as const;

type ListInvitationsInput = {
  organizationId: string;
  /** Text in the e-mail address. */
  search?: string | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/**
 * Lists the invitations that were neither accepted nor revoked, newest first, including expired
 * ones.
 */
export function listInvitations(
  { organizationId, search, orderBy }: ListInvitationsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Invitation>> {
  const condition = fragment`i.organization_id = ${organizationId} and i.accepted_at is null and i.revoked_at is null
    ${search ? fragment`and ${containsName(fragment`i.email`, search)}` : fragment``}`;
  const list: List = {
    name: 'invitations',
    table: fragment`invitations i`,
    alias: fragment`i`,
    condition,
    order: chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`i.id`, type: 'text' },
    total: fragment`(select count(*)::int from invitations i where ${condition})`,
    isPlannedEachTime: Boolean(search),
  };
  return readPage<Invitation>(list, { columns: invitationColumns }, request, database);
}
