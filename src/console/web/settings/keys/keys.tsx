import { useState } from 'react';
import {
  type GraphQueryResult,
  partOf,
  useGraphMutation,
  useGraphQuery,
} from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { displayName } from '../../ui/labels.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState, FaultNote } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateKey, type CreateKeyProps, type ExampleCall } from './create-key.tsx';
import {
  type ApiKeyFieldsFragment,
  CreateOrganizationKeyDocument,
  CreateUserKeyDocument,
  MyKeysDocument,
  OrganizationKeysDocument,
  RevokeKeyDocument,
} from './documents.ts';
import { EditLimit } from './edit-limit.tsx';

export function MyKeys() {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(MyKeysDocument, { page }, { typenames: ['ApiKey'] });
  return (
    <KeysPage
      title="My keys"
      lead="A key lets a program act as you in this organization: it can run the assistants that are shared with you, and manage their files."
      answer={partOf(answer, ({ myApiKeys }) => myApiKeys)}
      createDocument={CreateUserKeyDocument}
      exampleCalls={[{ path: '/api/assistants/v1', does: 'lists your assistants' }]}
      page={page}
      onPage={setPage}
    />
  );
}

export function OrganizationKeys() {
  const { features } = useViewer();
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(OrganizationKeysDocument, { page }, { typenames: ['ApiKey'] });
  return (
    <KeysPage
      title="Organization keys"
      lead="A key lets a program act for the organization: it can manage users, teams and sponsorship, as far as these features are enabled."
      answer={partOf(answer, ({ apiKeys }) => apiKeys)}
      createDocument={CreateOrganizationKeyDocument}
      exampleCalls={exampleCallsFor(features)}
      page={page}
      onPage={setPage}
    />
  );
}

function exampleCallsFor(features: readonly string[]): ExampleCall[] {
  const calls: ExampleCall[] = [];
  if (features.includes('USER_MANAGEMENT'))
    calls.push({ path: '/api/user-management/v1/users', does: 'lists the users' });
  if (features.includes('PARTNER_SPONSORSHIP') && features.includes('PARTNER_SPONSORSHIP_API'))
    calls.push({ path: '/api/sponsorship/v1/campaigns', does: 'lists the campaigns' });
  // GraphQL answers every key, whichever features are enabled.
  if (calls.length === 0)
    calls.push({
      path: '/graphql',
      does: 'shows the organization of the key',
      body: '{"query":"{ organization { name } }"}',
    });
  return calls;
}

type KeysPageProps = CreateKeyProps & {
  title: string;
  lead: string;
  answer: GraphQueryResult<{ totalCount: number; nodes: ApiKeyFieldsFragment[] }>;
  page: number;
  onPage: (page: number) => void;
};

/** A list of keys, with a dialog that creates one. */
function KeysPage({ title, lead, answer, page, onPage, ...createKey }: KeysPageProps) {
  const { isAdmin } = useViewer();
  const { run, fault } = useGraphMutation(RevokeKeyDocument);
  const hasResponsible = answer.data?.nodes.some(({ responsible }) => responsible);
  return (
    <>
      <PageHead title={title} lead={lead} actions={<CreateKey {...createKey} />} />
      <Card>
        <FaultNote fault={fault} />
        <PagedTable
          caption={title}
          answer={answer}
          page={page}
          pageSize={20}
          onPage={onPage}
          lines={4}
          empty={
            <EmptyState title="No keys yet">
              A key is shown once, when it is created. Create one key per program, so that you can
              revoke each one separately.
            </EmptyState>
          }
          columns={[
            { title: 'Key', cell: keyName },
            { title: 'State', cell: keyState },
            ...(hasResponsible ? [{ title: 'Responsible', cell: responsibleName }] : []),
            {
              title: 'Requests per minute',
              cell: ({ limitPerMinute, limitPerMinuteMax }) =>
                (limitPerMinute ?? limitPerMinuteMax).toLocaleString('en'),
            },
            { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'hide' },
            { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} style="ago" /> },
            {
              title: 'Actions',
              align: 'end',
              cell: (key) =>
                !key.revokedAt &&
                !isExpired(key) && (
                  <div className="row row-actions">
                    {isAdmin && <EditLimit {...key} />}
                    <ConfirmButton
                      label="Revoke"
                      subject={key.name}
                      title="Revoke this key?"
                      question={`Programs that use “${key.name}” lose access immediately. This cannot be undone.`}
                      confirmLabel="Revoke"
                      done={`“${key.name}” was revoked`}
                      onConfirm={() => run({ id: key.id })}
                    />
                  </div>
                ),
            },
          ]}
        />
      </Card>
    </>
  );
}

const keyName = ({ name, prefix, lastFour }: ApiKeyFieldsFragment) => (
  <div>
    <strong>{name}</strong>
    <div className="quiet">
      <code>
        {prefix}…{lastFour}
      </code>
    </div>
  </div>
);

const responsibleName = ({ responsible }: ApiKeyFieldsFragment) =>
  responsible ? displayName(responsible) : <span className="quiet">Nobody</span>;

const isExpired = ({ expiresAt }: ApiKeyFieldsFragment) =>
  expiresAt !== null && new Date(expiresAt) <= new Date();

function keyState(key: ApiKeyFieldsFragment) {
  if (key.revokedAt)
    return (
      <>
        <Badge>Revoked</Badge> <Time at={key.revokedAt} />
      </>
    );
  if (!key.expiresAt) return <Badge tone="good">Active</Badge>;
  return (
    <span>
      <Badge tone={isExpired(key) ? 'plain' : 'good'}>
        {isExpired(key) ? 'Expired' : 'Active'}
      </Badge>{' '}
      <span className="quiet">
        {isExpired(key) ? '' : 'until '}
        <Time at={key.expiresAt} />
      </span>
    </span>
  );
}
