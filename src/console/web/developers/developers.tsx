import { useEffect, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { CopyButton, LinkButton } from '../ui/button.tsx';
import { Card, Figure, Figures, PageHead } from '../ui/page.tsx';
import { Loaded } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { DevelopersDocument, type DevelopersQuery } from './documents.ts';
import { QuickStart } from './quick-start.tsx';
import './developers.css';

export function Developers() {
  const { organization, isAdmin } = useViewer();
  const answer = useGraphQuery(
    DevelopersDocument,
    {},
    { pause: organization === null, typenames: ['Assistant'] },
  );
  return (
    <>
      <PageHead
        title="Developers"
        lead="Programs can do everything that this console does, over REST or GraphQL."
      />
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
    { ...organization, kind: 'Organization' },
    ...assistants.slice(0, shownMax).map((assistant) => ({ ...assistant, kind: 'Assistant' })),
  ];
  return (
    <Card
      title="Your IDs"
      actions={
        assistants.length > shownMax && <LinkButton href="~/assistants">All assistants</LinkButton>
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
    <Card title="Rate limits">
      <Figures>
        <Figure
          label="Organization key"
          value={limits.organizationKey}
          hint="requests per minute, REST and GraphQL together"
        />
        <Figure
          label="User key"
          value={limits.userKey}
          hint="requests per minute, REST and GraphQL together"
        />
      </Figures>
      <p>
        Every response contains <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>{' '}
        and, in Unix seconds, <code>X-RateLimit-Reset</code>. When the limit is exceeded, the
        response is 429, and <code>Retry-After</code> says how many seconds to wait.
      </p>
    </Card>
  );
}

const kinds = [
  {
    name: 'User key',
    prefix: 'sk_svc_',
    allows:
      'Assistants, Assistant Files, OpenAI clients and GraphQL, with the permissions of its owner',
    createdBy: 'every member',
  },
  {
    name: 'Organization key',
    prefix: 'sk_svc_um_',
    allows: 'User Management, Partner Sponsorship and GraphQL, for the organization',
    createdBy: 'administrators',
  },
];

function KeyKinds() {
  return (
    <Card title="Keys">
      <Table
        caption="The two kinds of keys"
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Key', cell: ({ name }) => <strong>{name}</strong> },
          {
            title: 'Prefix',
            cell: ({ prefix }) => <code className="developers-prefix">{prefix}</code>,
          },
          { title: 'Allows', cell: ({ allows }) => allows },
          { title: 'Created by', cell: ({ createdBy }) => createdBy },
        ]}
      />
      <p className="quiet">
        A key is shown once, when it is created, and is sent as <code>Authorization: Bearer …</code>
        . Do not store it in code that others can read. A leaked key stops working as soon as you
        revoke it.
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
    <Card title="Reference and tools">
      <ul className="developers-links plain-list">
        <li>
          <ExternalLink href="/api/docs">API reference</ExternalLink>
          <p className="quiet">Every REST call with its input, its responses and a curl example.</p>
        </li>
        <li>
          <ExternalLink href="/api/openapi.json">OpenAPI document</ExternalLink>
          <p className="quiet">The same reference for client generators.</p>
        </li>
        <li>
          {hasGraphiql === false ? (
            <strong>GraphiQL</strong>
          ) : (
            <ExternalLink href="/graphql">GraphiQL</ExternalLink>
          )}
          <p className="quiet">
            {hasGraphiql === false
              ? 'It is disabled on this server; the setting GRAPHIQL enables it.'
              : 'Write GraphQL queries and see their results. They run as you, with this session, or with a key that you set in the headers.'}
            {hasGraphiql !== false && memberships.length > 1 && (
              <>
                {' '}
                They run in your default organization; the header <code>x-atrium-organization</code>{' '}
                names another one.
              </>
            )}
          </p>
        </li>
        <li>
          <strong>Queries of this console</strong>
          <p className="quiet">
            “Show this page as GraphQL and curl” in the account menu shows the queries of the
            current page, ready to copy.
          </p>
        </li>
      </ul>
    </Card>
  );
}

function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new window)</span>
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
