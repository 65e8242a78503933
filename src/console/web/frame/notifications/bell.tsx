import { useEffect, useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { loadTexts } from '../../texts/messages.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart, pendingDialog } from '../../ui/lazy-part.tsx';
import { UnreadNotificationsDocument } from './documents.ts';
import './bell.css';

const Panel = lazyPart(async () => {
  const [module] = await Promise.all([import('./panel.tsx'), loadTexts('notifications')]);
  return module.Panel;
}, pendingDialog);

const refreshMs = 60_000;
const shownMax = 99;

/**
 * The button that opens the newest notifications, with the number of unread ones. The number is read
 * when the page has nothing else to do. It is not a live query, because a page has only two streams.
 */
export function Bell() {
  const [isOpen, setOpen] = useState(false);
  const isIdle = useIdle();
  const { data } = useGraphQuery(
    UnreadNotificationsDocument,
    {},
    { pause: !isIdle, refreshMs, inBackground: true, typenames: ['Notification'] },
  );
  const count = data?.unreadNotifications.count ?? 0;
  return (
    <>
      <Button
        kind="quiet"
        className="bell"
        icon="bell"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className="sr-only">{t('frame.unreadNotifications', { count })}</span>
        {count > 0 && (
          <span className="bell-count" aria-hidden="true">
            {count > shownMax ? `${shownMax}+` : String(count)}
          </span>
        )}
      </Button>
      {isOpen && <Panel onClose={() => setOpen(false)} />}
    </>
  );
}

/** Whether the page has had nothing to do once. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(() => setIdle(true), 1_000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => setIdle(true));
    return () => cancelIdleCallback(request);
  }, []);
  return isIdle;
}
