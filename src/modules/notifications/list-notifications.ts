import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { fragment } from '../../platform/database/sql.ts';
import { type Notification, notificationColumns } from './notification.ts';

/** A person in an organization, to whom notifications belong. */
export type NotificationOwner = { organizationId: string; userId: string };

/** The condition that `notifications n` belongs to this person. */
export const isOwn = ({ organizationId, userId }: NotificationOwner) =>
  fragment`n.organization_id = ${organizationId} and n.user_id = ${userId}`;

const orders = {
  CREATED_AT: [{ column: fragment`n.created_at`, type: 'time', field: 'createdAt' }],
} as const;

type ListNotificationsInput = {
  owner: NotificationOwner;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists the notifications of a person in an organization, newest first. */
export function listNotifications(
  { owner, orderBy }: ListNotificationsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Notification>> {
  const condition = isOwn(owner);
  const list: List = {
    name: 'notifications',
    table: fragment`notifications n`,
    alias: fragment`n`,
    condition,
    order: chooseOrder(orders, orderBy, { field: 'CREATED_AT', direction: 'DESC' }),
    id: { column: fragment`n.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from notifications n where ${condition})`,
  };
  return readPage<Notification>(list, { columns: notificationColumns }, request, database);
}

/** How many notifications the person has not marked as read. */
export async function countUnread(
  owner: NotificationOwner,
  { sql }: Pick<Database, 'sql'>,
): Promise<number> {
  const [row] = await sql<{ unread: number }>`
    select count(*)::int as unread from notifications n where ${isOwn(owner)} and n.read_at is null`;
  return row?.unread ?? 0;
}

/** Reads notifications of the person, in any order. Those of others are left out. */
export const readNotifications = (
  { ids, owner }: { ids: readonly string[]; owner: NotificationOwner },
  { sql }: Pick<Database, 'sql'>,
): Promise<Notification[]> =>
  sql<Notification>`
    select ${notificationColumns} from notifications n where ${isOwn(owner)} and n.id = any(${ids})`;
