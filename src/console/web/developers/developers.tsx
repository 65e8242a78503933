import { useEffect, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import type { PlainKey } from '../texts/catalogue.ts';
import { CopyButton, LinkButton } from '../ui/button.tsx';
import { Card, Figure, Figures, PageHead } from '../ui/page.tsx';
import { Loaded } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { DevelopersDocument, type DevelopersQuery } from './documents.ts';
import { QuickStart } from './quick-start.tsx';
import './developers.css';
import { richText, t } from '../texts/text.ts';

export function Developers() {
  const { organization, isAdmin } = useViewer();
  const answer = useGraphQuery(
    DevelopersDocument,
    {},
    { pause: organization === null, typenames: ['Assistant'] },
  );
  return (
    <>
      <PageHead title={t('developers.developers')} lead={t('developers.lead')} />
      {organization && (
        <Loaded answer={answer} lines={10}>
          {({ assistants: { nodes: assistants }, rateLimits }) => (
            <>
              <QuickStart assistants={assistants} isAdmin={isAdmin} />
              <IdList organization={organization} assistants={assistants} />
              <RateLimits limits={rateLimits} />
            </>
          )}
        </Loaded>
      )}
      <Explore />
      <KeyKinds />
    </>
  );
}

type IdListProps = {
  organization: { id: string; name: string };
  assistants: DevelopersQuery['assistants']['nodes'];
};
const shownMax = 8;

function IdList({ organization, assistants }: IdListProps) {
  const rows = [
    { ...organization, kind: t('developers.organization') },
    ...assistants
      .slice(0, shownMax)
      .map((assistant) => ({ ...assistant, kind: t('developers.assistant') })),
  ];
  return (
    <Card
      title={t('developers.yourIds')}
      actions={
        assistants.length > shownMax && (
          <LinkButton href="~/assistants">{t('developers.allAssistants')}</LinkButton>
        )
      }
    >
      <dl className="developers-ids">
        {rows.map(({ id, name, kind }) => (
          <div key={id} className="spread">
            <dt>
              {name} <span className="hint">{kind}</span>
            </dt>
            <dd className="spread">
              <code>{id}</code>
              <CopyButton text={id} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function RateLimits({ limits }: { limits: DevelopersQuery['rateLimits'] }) {
  return (
    <Card title={t('developers.rateLimits')}>
      <Figures>
        <Figure
          label={t('developers.organizationKey')}
          value={limits.organizationKey}
          hint={t('developers.perMinute')}
        />
        <Figure
          label={t('developers.userKey')}
          value={limits.userKey}
          hint={t('developers.perMinute')}
        />
      </Figures>
      <p>{richText('developers.rateLimitHeaders', { code: (text) => <code>{text}</code> })}</p>
    </Card>
  );
}

type KeyKind = { name: PlainKey; prefix: string; allows: PlainKey; createdBy: PlainKey };

const kinds: readonly KeyKind[] = [
  {
    name: 'developers.userKey',
    prefix: 'sk_svc_',
    allows: 'developers.userKeyAllows',
    createdBy: 'developers.everyMember',
  },
  {
    name: 'developers.organizationKey',
    prefix: 'sk_svc_um_',
    allows: 'developers.organizationKeyAllows',
    createdBy: 'developers.administrators',
  },
];

function KeyKinds() {
  return (
    <Card title={t('developers.keys')}>
      <Table
        caption={t('developers.keysCaption')}
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { title: t('developers.key'), cell: ({ name }) => <strong>{t(name)}</strong> },
          {
            title: t('developers.prefix'),
            cell: ({ prefix }) => <code className="developers-prefix">{prefix}</code>,
          },
          { title: t('developers.allows'), cell: ({ allows }) => t(allows) },
          {
            title: t('developers.createdBy'),
            cell: ({ createdBy }) => <span className="whole-words">{t(createdBy)}</span>,
          },
        ]}
      />
      <p className="quiet">
        {richText('developers.keyShownOnce', { code: (text) => <code>{text}</code> })}
      </p>
    </Card>
  );
}

/**
 * Links to the API reference and tools. They are outside the console, so each opens in a new
 * window.
 */
function Explore() {
  const { memberships } = useViewer();
  const hasGraphiql = useHasGraphiql();
  return (
    <Card title={t('developers.referenceAndTools')}>
      <ul className="developers-links plain-list">
        <li>
          <ExternalLink href="/api/docs">{t('developers.apiReference')}</ExternalLink>
          <p className="quiet">{t('developers.apiReferenceHint')}</p>
        </li>
        <li>
          <ExternalLink href="/api/openapi.json">{t('developers.openApiDocument')}</ExternalLink>
          <p className="quiet">{t('developers.openApiHint')}</p>
        </li>
        <li>
          {hasGraphiql === false ? (
            <strong>GraphiQL</strong>
          ) : (
            <ExternalLink href="/graphql">GraphiQL</ExternalLink>
          )}
          <p className="quiet">
            {hasGraphiql === false
              ? t('developers.graphiqlDisabled')
              : t('developers.graphiqlHint')}
            {hasGraphiql !== false && memberships.length > 1 && (
              <>
                {' '}
                {richText('developers.graphiqlOrganization', {
                  code: (text) => <code>{text}</code>,
                })}
              </>
            )}
          </p>
        </li>
        <li>
          <strong>{t('developers.consoleQueries')}</strong>
          <p className="quiet">{t('developers.consoleQueriesHint')}</p>
        </li>
      </ul>
    </Card>
  );
}

function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> {t('developers.newWindow')}</span>
    </a>
  );
}

/** Whether this server serves GraphiQL; undefined until the response arrives. */
function useHasGraphiql(): boolean | undefined {
  const [isServed, setServed] = useState<boolean>();
  useEffect(() => {
    const controller = new AbortController();
    fetch('/graphql', { headers: { accept: 'text/html' }, signal: controller.signal }).then(
      ({ headers }) => setServed(headers.get('content-type')?.startsWith('text/html') ?? false),
      () => undefined,
    );
    return () => controller.abort();
  }, []);
  return isServed;
}
