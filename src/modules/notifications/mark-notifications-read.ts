import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { isOwn, type NotificationOwner } from './list-notifications.ts';

type MarkNotificationsInput = {
  owner: NotificationOwner;
  /** Null or undefined: all of the person in the organization. */
  ids?: readonly string[] | null | undefined;
};

/**
 * Marks notifications of the person as read. Ids of other notifications change nothing, because a
 * notification that the person still sees may have been deleted.
 */
export async function markNotificationsRead(
  { owner, ids }: MarkNotificationsInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  const isNamed = ids ? fragment`and n.id = any(${ids})` : fragment``;
  await database.sql`
    update notifications n set read_at = ${clock()} where ${isOwn(owner)} and n.read_at is null ${isNamed}`;
}
