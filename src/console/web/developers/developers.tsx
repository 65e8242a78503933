import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Figure, Figures } from '../ui/figure.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHead } from '../ui/page-head.tsx';
import './developers.css';
import { DevelopersDocument, type DevelopersQuery } from './documents.ts';
import { Explore } from './explore.tsx';
import { KeyKinds } from './key-kinds.tsx';
import { QuickStart } from './quick-start.tsx';

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
          {({ assistants, rateLimits }) => (
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
  assistants: DevelopersQuery['assistants'];
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
          <div key={id}>
            <dt>
              {name} <span className="hint">{kind}</span>
            </dt>
            <dd>
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
          value={limits.organizationKey.toLocaleString()}
          hint="requests per minute, REST and GraphQL together"
        />
        <Figure
          label="User key"
          value={limits.userKey.toLocaleString()}
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
