import { Link } from 'wouter';
import { t } from '../texts/text.ts';
import { Card } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import type { HomeQuery } from './documents.ts';

/** The conversations in which the person asked last. */
export function RecentConversations({
  conversations,
}: {
  conversations: HomeQuery['conversations']['nodes'];
}) {
  if (conversations.length === 0) return null;
  return (
    <Card title={t('home.recentConversations')}>
      <ul className="home-list plain-list">
        {conversations.map(({ id, title, assistantId, assistant, updatedAt }) => (
          <li key={id} className="spread">
            <span className="home-name">
              <Link href={`/assistants/${assistantId}/c/${id}`}>{title ?? t('home.untitled')}</Link>
              {assistant && <span className="hint"> {assistant.name}</span>}
            </span>
            <span className="hint">
              <Time at={updatedAt} style="ago" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
