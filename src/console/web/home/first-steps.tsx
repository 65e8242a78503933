import { Link } from 'wouter';
import { useViewer } from '../session/session.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import type { HomeQuery } from './documents.ts';

type Step = { isDone: boolean; href: string; title: string; text: string };

/** What to begin with in an empty workspace. Once there is something to ask, it is gone. */
export function FirstSteps({ home: { organization, assistants, myApiKeys } }: { home: HomeQuery }) {
  const { isAdmin, features } = useViewer();
  const hasFiles = features.includes('assistantFiles');
  const files = assistants.reduce((sum, { fileCount = 0 }) => sum + fileCount, 0);
  const own = assistants.find(({ myLevel }) => myLevel !== 'VIEW');
  if (assistants.length > 0 && (!hasFiles || files > 0 || !own)) return null;
  const steps: Step[] = [
    {
      isDone: assistants.length > 0,
      href: '/assistants/new',
      title: 'Make an assistant',
      text: 'Give it a name and say what it is for.',
    },
    ...(hasFiles
      ? [
          {
            isDone: files > 0,
            href: own ? `/assistants/${own.id}/files` : '/assistants',
            title: 'Give it files',
            text: 'It answers from them, and says where it stands.',
          },
        ]
      : []),
    ...(isAdmin
      ? [
          {
            isDone: organization.memberCount > 1,
            href: '/settings/members',
            title: 'Invite your colleagues',
            text: 'By e-mail, or by a link that you hand over.',
          },
        ]
      : []),
    {
      isDone: myApiKeys.total > 0,
      href: '/developers',
      title: 'Ask from a program',
      text: 'A key and three lines are enough.',
    },
  ];
  return (
    <Card title="First steps">
      <ol className="home-steps">
        {steps.map(({ isDone, href, title, text }) => (
          <li key={title} className={isDone ? 'home-step-done' : undefined}>
            <span className="home-mark">{isDone ? <Icon name="check" /> : null}</span>
            <span>
              {isDone ? <strong>{title}</strong> : <Link href={href}>{title}</Link>}
              {isDone && <span className="sr-only"> (done)</span>}
              <span className="hint"> {text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
