import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { WebhooksDocument } from './documents.ts';
import { endpointStates, eventsOf } from './event-labels.ts';

/** The addresses to which events of the organization are sent. */
export function Webhooks() {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(WebhooksDocument, { page }, { typenames: ['WebhookEndpoint'] });
  return (
    <>
      <PageHead
        title={t('webhooks.webhooks')}
        lead={t('webhooks.webhooksLead')}
        actions={<CreateWebhook />}
      />
      <Card>
        <PagedTable
          caption={t('webhooks.webhooks')}
          answer={partOf(answer, ({ webhookEndpoints }) => webhookEndpoints)}
          page={page}
          pageSize={20}
          onPage={setPage}
          lines={4}
          empty={
            <EmptyState title={t('webhooks.noWebhooks')}>{t('webhooks.noWebhooksHint')}</EmptyState>
          }
          columns={[
            {
              title: t('webhooks.address'),
              cell: ({ id, url, description }) => (
                <div>
                  <Link href={`/webhooks/${id}`}>{url}</Link>
                  {description && <div className="quiet">{description}</div>}
                </div>
              ),
            },
            { title: t('webhooks.events'), cell: eventsOf },
            {
              title: t('webhooks.state'),
              cell: ({ state }) => (
                <Badge tone={endpointStates[state].tone}>{t(endpointStates[state].label)}</Badge>
              ),
            },
          ]}
        />
      </Card>
    </>
  );
}
