import { useState } from 'react';
import {
  type GraphQueryResult,
  partOf,
  useGraphMutation,
  useGraphQuery,
} from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
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
      title={t('keys.myKeys')}
      lead={t('keys.myKeysLead')}
      answer={partOf(answer, ({ myApiKeys }) => myApiKeys)}
      createDocument={CreateUserKeyDocument}
      exampleCalls={[{ path: '/api/assistants/v1', does: t('keys.listsAssistants') }]}
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
      title={t('keys.organizationKeys')}
      lead={t('keys.organizationKeysLead')}
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
    calls.push({ path: '/api/user-management/v1/users', does: t('keys.listsUsers') });
  if (features.includes('PARTNER_SPONSORSHIP') && features.includes('PARTNER_SPONSORSHIP_API'))
    calls.push({ path: '/api/sponsorship/v1/campaigns', does: t('keys.listsCampaigns') });
  // GraphQL answers every key, whichever features are enabled.
  if (calls.length === 0)
    calls.push({
      path: '/graphql',
      does: t('keys.showsOrganization'),
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
          empty={<EmptyState title={t('keys.noKeys')}>{t('keys.noKeysHint')}</EmptyState>}
          columns={[
            { title: t('keys.key'), cell: keyName },
            { title: t('keys.state'), cell: keyState },
            ...(hasResponsible ? [{ title: t('keys.responsible'), cell: responsibleName }] : []),
            {
              title: t('keys.requestsPerMinute'),
              cell: ({ limitPerMinute, limitPerMinuteMax }) =>
                formatNumber(limitPerMinute ?? limitPerMinuteMax),
            },
            {
              title: t('keys.created'),
              cell: ({ createdAt }) => <Time at={createdAt} />,
              narrow: 'hide',
            },
            {
              title: t('keys.lastUsed'),
              cell: ({ lastUsedAt }) => <Time at={lastUsedAt} style="ago" />,
            },
            {
              title: t('keys.actions'),
              align: 'end',
              cell: (key) =>
                !key.revokedAt &&
                !isExpired(key) && (
                  <div className="row row-actions">
                    {isAdmin && <EditLimit {...key} />}
                    <ConfirmButton
                      label={t('keys.revoke')}
                      subject={key.name}
                      title={t('keys.revokeQuestion')}
                      question={t('keys.revokeHint', { name: key.name })}
                      confirmLabel={t('keys.revoke')}
                      done={t('keys.wasRevoked', { name: key.name })}
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
  responsible ? displayName(responsible) : <span className="quiet">{t('keys.nobody')}</span>;

const isExpired = ({ expiresAt }: ApiKeyFieldsFragment) =>
  expiresAt !== null && new Date(expiresAt) <= new Date();

function keyState(key: ApiKeyFieldsFragment) {
  if (key.revokedAt)
    return (
      <>
        <Badge>{t('keys.revoked')}</Badge> <Time at={key.revokedAt} />
      </>
    );
  if (!key.expiresAt) return <Badge tone="good">{t('keys.active')}</Badge>;
  return (
    <span>
      <Badge tone={isExpired(key) ? 'plain' : 'good'}>
        {isExpired(key) ? t('keys.expired') : t('keys.active')}
      </Badge>{' '}
      <span className="quiet">
        {isExpired(key) ? '' : `${t('keys.until')} `}
        <Time at={key.expiresAt} />
      </span>
    </span>
  );
}
