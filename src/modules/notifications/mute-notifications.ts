import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { NotificationKind } from '../../platform/database/generated/client.ts';

type MuteInput = { userId: string; kind: NotificationKind; isMuted: boolean };

/**
 * Switches a kind of notifications off or on for a person, in every organization. Those that exist
 * stay. One statement changes the stored list, so that two switches at once are both kept.
 */
export async function muteNotifications(
  { userId, kind, isMuted }: MuteInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.sql`
    update users set updated_at = ${clock()}, muted_notifications = case when ${isMuted}::boolean
      then array_append(array_remove(muted_notifications, ${kind}::notification_kind), ${kind}::notification_kind)
      else array_remove(muted_notifications, ${kind}::notification_kind) end
    where id = ${userId}`;
}
