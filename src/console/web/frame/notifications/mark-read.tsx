import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { MarkNotificationsReadDocument } from './documents.ts';

/** Marks notifications as read; those with these ids, or all. */
export function useMarkRead(success?: string) {
  const { run, busy, fault } = useGraphMutation(MarkNotificationsReadDocument, {
    invalidates: ['Notification', 'UnreadNotifications'],
    ...(success === undefined ? {} : { success }),
  });
  return { markRead: (ids: string[] | null) => run({ ids }), busy, fault };
}

export function MarkAllRead({ unread }: { unread: number }) {
  const { markRead, busy, fault } = useMarkRead(t('notifications.allRead'));
  return (
    <>
      <Button icon="check" busy={busy} disabled={unread === 0} onClick={() => void markRead(null)}>
        {t('notifications.markAllRead')}
      </Button>
      <FaultNote fault={fault} />
    </>
  );
}
