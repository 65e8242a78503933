import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
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
        title="Webhooks"
        lead="Atrium sends events of the organization to these addresses: signed, at least once, and in order for each resource."
        actions={<CreateWebhook />}
      />
      <Card>
        <PagedTable
          caption="Webhooks"
          answer={partOf(answer, ({ webhookEndpoints }) => webhookEndpoints)}
          page={page}
          pageSize={20}
          onPage={setPage}
          lines={4}
          empty={
            <EmptyState title="No webhooks yet">
              A webhook informs one of your programs about changes as they happen.
            </EmptyState>
          }
          columns={[
            {
              title: 'Address',
              cell: ({ id, url, description }) => (
                <div>
                  <Link href={`/webhooks/${id}`}>{url}</Link>
                  {description && <div className="quiet">{description}</div>}
                </div>
              ),
            },
            { title: 'Events', cell: eventsOf },
            {
              title: 'State',
              cell: ({ state }) => (
                <Badge tone={endpointStates[state].tone}>{endpointStates[state].label}</Badge>
              ),
            },
          ]}
        />
      </Card>
    </>
  );
}
