import { Link, Route, Switch } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { notificationText } from '../../ui/notification-labels.ts';
import { PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { NotFound } from '../not-found.tsx';
import { NotificationsDocument, type NotificationsQuery } from './documents.ts';
import { MarkAllRead, useMarkRead } from './mark-read.tsx';
import './notifications.css';

const pageSize = 20;

export const NotificationsPage = () => (
  <Switch>
    <Route path="/" component={AllNotifications} />
    <Route component={NotFound} />
  </Switch>
);

/** All notifications of the person in the organization. */
function AllNotifications() {
  const { page, setPage } = useFilter([]);
  const answer = useGraphQuery(
    NotificationsDocument,
    { page, pageSize },
    { live: true, typenames: ['Notification'] },
  );
  return (
    <>
      <PageHead
        title={t('notifications.notifications')}
        lead={t('notifications.lead')}
        actions={<MarkAllRead unread={answer.data?.unreadNotifications.count ?? 0} />}
      />
      <PagedTable
        caption={t('notifications.caption')}
        answer={partOf(answer, ({ notifications }) => notifications)}
        page={page}
        pageSize={pageSize}
        onPage={setPage}
        empty={
          <EmptyState title={t('notifications.none')}>{t('notifications.noneHint')}</EmptyState>
        }
        columns={[
          { title: t('notifications.what'), cell: (row) => <Subject {...row} /> },
          {
            title: t('notifications.when'),
            cell: ({ createdAt }) => <Time at={createdAt} style="moment" />,
          },
          {
            title: t('notifications.state'),
            cell: ({ readAt }) =>
              readAt === null ? (
                <Badge tone="busy">{t('notifications.unread')}</Badge>
              ) : (
                <span className="quiet">{t('notifications.read')}</span>
              ),
          },
        ]}
      />
    </>
  );
}

function Subject({
  id,
  kind,
  subjectName,
  subjectEndsAt,
  path,
  readAt,
}: NotificationsQuery['notifications']['nodes'][number]) {
  const { markRead } = useMarkRead();
  return (
    <Link href={`~${path}`} onClick={() => readAt === null && void markRead([id])}>
      {notificationText({ kind, subjectName, subjectEndsAt })}
    </Link>
  );
}
