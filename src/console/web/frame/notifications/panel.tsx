import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notificationText } from '../../ui/notification-labels.ts';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { NotificationsDocument, type NotificationsQuery } from './documents.ts';
import { MarkAllRead, useMarkRead } from './mark-read.tsx';
import './notifications.css';

type Listed = NotificationsQuery['notifications']['nodes'][number];

/** The newest notifications, above the page. */
export function Panel({ onClose }: { onClose: () => void }) {
  const answer = useGraphQuery(
    NotificationsDocument,
    { page: 1, pageSize: 8 },
    { live: true, typenames: ['Notification'] },
  );
  return (
    <Dialog title={t('notifications.notifications')} open onClose={onClose}>
      <Loaded answer={answer} lines={4}>
        {({ notifications: { nodes }, unreadNotifications }) => (
          <>
            {nodes.length === 0 ? (
              <EmptyState title={t('notifications.none')}>{t('notifications.noneHint')}</EmptyState>
            ) : (
              <ul className="plain-list notification-list">
                {nodes.map((notification) => (
                  <PanelEntry key={notification.id} {...notification} onClose={onClose} />
                ))}
              </ul>
            )}
            <div className="row">
              <MarkAllRead unread={unreadNotifications.count} />
              <Link href="/notifications" className="button button-plain" onClick={onClose}>
                {t('notifications.all')}
              </Link>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function PanelEntry({
  id,
  kind,
  subjectName,
  subjectEndsAt,
  path,
  createdAt,
  readAt,
  onClose,
}: Listed & { onClose: () => void }) {
  const { markRead } = useMarkRead();
  const open = () => {
    if (readAt === null) void markRead([id]);
    onClose();
  };
  return (
    <li>
      <Link
        href={path}
        className={readAt === null ? 'notification notification-unread' : 'notification'}
        onClick={open}
      >
        <span>
          {notificationText({ kind, subjectName, subjectEndsAt })}
          {readAt === null && <span className="sr-only"> {t('notifications.unread')}</span>}
        </span>
        <span className="quiet">
          <Time at={createdAt} style="ago" />
        </span>
      </Link>
    </li>
  );
}
