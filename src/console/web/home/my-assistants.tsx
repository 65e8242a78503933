import { Link } from 'wouter';
import { fileText } from '../graph/code-text.ts';
import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LinkButton } from '../ui/button.tsx';
import { stageLabels } from '../ui/labels.ts';
import { Card } from '../ui/page.tsx';
import { Badge, EmptyState } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import type { HomeQuery } from './documents.ts';
import { favoritesFirst } from './favorites-first.ts';

type HomeAssistants = HomeQuery['assistants']['nodes'];

const shownMax = 6;
const levelLabels: Record<HomeAssistants[number]['myLevel'], PlainKey> = {
  VIEW: 'home.sharedWithYou',
  EDIT: 'home.youCanEdit',
  OWNER: 'home.yours',
};

export function MyAssistants({ assistants }: { assistants: HomeAssistants }) {
  return (
    <Card
      title={t('home.yourAssistants')}
      actions={
        assistants.length > 0 && (
          <LinkButton href="/assistants">{t('home.allAssistants')}</LinkButton>
        )
      }
    >
      {assistants.length === 0 ? (
        <EmptyState
          title={t('home.noAssistants')}
          action={
            <LinkButton icon="plus" kind="primary" href="/assistants/new">
              {t('home.createAssistant')}
            </LinkButton>
          }
        >
          {t('home.sharedAppearHere')}
        </EmptyState>
      ) : (
        <ul className="home-list plain-list">
          {favoritesFirst(assistants)
            .slice(0, shownMax)
            .map(({ id, name, description, color, myLevel, isFavorite, fileCount }) => (
              <li key={id} className="spread">
                <Avatar id={id} name={name} color={color} />
                <span className="home-name home-assistant">
                  <strong>{name}</strong> <Badge>{t(levelLabels[myLevel])}</Badge>{' '}
                  {isFavorite && <Badge tone="busy">{t('home.favorite')}</Badge>}
                  {fileCount !== undefined && (
                    <span className="hint"> {t('home.fileCount', { fileCount })}</span>
                  )}
                  {description !== '' && (
                    <span className="hint home-description">{description}</span>
                  )}
                </span>
                <LinkButton icon="chat" subject={name} href={`/assistants/${id}`}>
                  {t('home.ask')}
                </LinkButton>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}

type UnfinishedFilesData = NonNullable<HomeQuery['unfinishedFiles']>;
type UnfinishedFile = UnfinishedFilesData['files'][number]['file'];

/** Files that are still being processed or that failed. Hidden when all files are ready. */
export function UnfinishedFiles({
  unfinished: { working, failed, files },
}: {
  unfinished: UnfinishedFilesData;
}) {
  if (files.length === 0) return null;
  const hiddenCount = working + failed - files.length;
  return (
    <Card title={t('home.filesNotReady')}>
      <ul className="home-list plain-list">
        {files.map(({ assistantName, file }) => (
          <li key={file.id} className="spread">
            <span className="home-name">
              <Link href={`/assistants/${file.assistantId}/files`}>{file.originalName}</Link>
              <span className="hint"> {t('home.ofAssistant', { assistantName })}</span>
              {file.processingError && (
                <span className="home-reason">{fileText(file.processingError)}</span>
              )}
            </span>
            <FileState file={file} />
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && <p className="quiet">{t('home.andMore', { hiddenCount })}</p>}
    </Card>
  );
}

function FileState({ file: { processingStatus, processingStage } }: { file: UnfinishedFile }) {
  if (processingStatus === 'FAILED') return <Badge tone="bad">{t('ui.failed')}</Badge>;
  return (
    <Badge tone="busy">
      {processingStage
        ? t(stageLabels[processingStage])
        : processingStatus === 'PENDING'
          ? t('ui.waiting')
          : t('ui.processing')}
    </Badge>
  );
}

/** Keys that expire within a month, so that nobody is surprised when a program stops. */
export function ExpiringKeys({ keys }: { keys: HomeQuery['expiringKeys'] }) {
  if (keys.length === 0) return null;
  return (
    <Card title={t('home.keysExpiringSoon')}>
      <ul className="home-list plain-list">
        {keys.map(({ id, name, kind, lastFour, expiresAt }) => (
          <li key={id} className="spread">
            <span className="home-name">
              <Link
                href={kind === 'ORGANIZATION' ? '/settings/organization-keys' : '/settings/keys'}
              >
                {name}
              </Link>
              <span className="hint"> {t('home.keyKind', { kind, lastFour })}</span>
            </span>
            {expiresAt && <Time at={expiresAt} style="ago" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
