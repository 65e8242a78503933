import { Link } from 'wouter';
import { useViewer } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/page.tsx';
import type { HomeQuery } from './documents.ts';

type FirstStep = { isDone: boolean; href: string; title: string; text: string };

/** A checklist for a new workspace. It disappears when there is an assistant with files. */
export function FirstSteps({ home }: { home: HomeQuery }) {
  const { organization, myApiKeys } = home;
  const assistants = home.assistants.nodes;
  const { isAdmin, features } = useViewer();
  const hasFiles = features.includes('ASSISTANT_FILES');
  const files = assistants.reduce((sum, { fileCount = 0 }) => sum + fileCount, 0);
  const editable = assistants.find(({ myLevel }) => myLevel !== 'VIEW');
  if (assistants.length > 0 && (!hasFiles || files > 0 || !editable)) return null;
  const steps: FirstStep[] = [
    {
      isDone: assistants.length > 0,
      href: '/assistants/new',
      title: t('home.createAssistant'),
      text: t('home.createAssistantHint'),
    },
    ...(hasFiles
      ? [
          {
            isDone: files > 0,
            href: editable ? `/assistants/${editable.id}/files` : '/assistants',
            title: t('home.addFiles'),
            text: t('home.addFilesHint'),
          },
        ]
      : []),
    ...(isAdmin
      ? [
          {
            isDone: organization.memberCount > 1,
            href: '/settings/members',
            title: t('home.inviteColleagues'),
            text: t('home.inviteColleaguesHint'),
          },
        ]
      : []),
    {
      isDone: myApiKeys.totalCount > 0,
      href: '/developers',
      title: t('home.callApi'),
      text: t('home.callApiHint'),
    },
  ];
  return (
    <Card title={t('home.firstSteps')}>
      <ol className="home-steps plain-list">
        {steps.map(({ isDone, href, title, text }) => (
          <li key={title} className={isDone ? 'home-step-done' : undefined}>
            <span className="home-mark">{isDone ? <Icon name="check" /> : null}</span>
            <span>
              {isDone ? <strong>{title}</strong> : <Link href={href}>{title}</Link>}
              {isDone && <span className="sr-only"> {t('home.done')}</span>}
              <span className="hint"> {text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
