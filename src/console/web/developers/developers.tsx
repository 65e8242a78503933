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
        lead="Everything that this console does, a program can do as well: by REST with stable addresses, or by GraphQL with exactly what it needs."
      />
      {organization && (
        <Loaded answer={answer} lines={10}>
          {({ assistants, rateLimits }) => (
            <>
              <QuickStart assistants={assistants} isAdmin={isAdmin} />
              <Ids organization={organization} assistants={assistants} />
              <Limits limits={rateLimits} />
            </>
          )}
        </Loaded>
      )}
      <Explore />
      <KeyKinds />
    </>
  );
}

type IdsProps = {
  organization: { id: string; name: string };
  assistants: DevelopersQuery['assistants'];
};
const shownMax = 8;

function Ids({ organization, assistants }: IdsProps) {
  const rows = [
    { ...organization, what: 'Organization' },
    ...assistants.slice(0, shownMax).map((assistant) => ({ ...assistant, what: 'Assistant' })),
  ];
  return (
    <Card
      title="Your ids"
      actions={
        assistants.length > shownMax && <LinkButton href="~/assistants">All assistants</LinkButton>
      }
    >
      <dl className="developers-ids">
        {rows.map(({ id, name, what }) => (
          <div key={id}>
            <dt>
              {name} <span className="hint">{what}</span>
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

function Limits({ limits }: { limits: DevelopersQuery['rateLimits'] }) {
  return (
    <Card title="Limits">
      <Figures>
        <Figure
          label="An organization key"
          value={limits.organizationKey.toLocaleString()}
          hint="requests a minute, REST and GraphQL together"
        />
        <Figure
          label="A user key"
          value={limits.userKey.toLocaleString()}
          hint="requests a minute, REST and GraphQL together"
        />
      </Figures>
      <p>
        Every answer says where you stand: <code>X-RateLimit-Limit</code>,{' '}
        <code>X-RateLimit-Remaining</code> and, in Unix seconds, <code>X-RateLimit-Reset</code>.
        Past the limit the answer is 429, and <code>Retry-After</code> says how many seconds to
        wait.
      </p>
    </Card>
  );
}
