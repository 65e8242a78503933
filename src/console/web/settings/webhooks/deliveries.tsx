import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState, FaultNote } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import {
  RetryDeliveryDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryState,
} from './documents.ts';
import { deliveryStates, publicName } from './event-labels.ts';

type Delivery = WebhookDeliveriesQuery['webhookDeliveries']['nodes'][number];

const states: readonly WebhookDeliveryState[] = ['PENDING', 'DELIVERED', 'FAILED'];
const stateOptions = [
  { value: '', label: 'All' },
  ...states.map((value) => ({ value, label: deliveryStates[value].label })),
];
const refreshMs = 5_000;

/** What was sent to an endpoint, newest first. */
export function Deliveries({ endpointId, isActive }: { endpointId: string; isActive: boolean }) {
  const [page, setPage] = useState(1);
  const [state, setState] = useState<WebhookDeliveryState>();
  const answer = useGraphQuery(
    WebhookDeliveriesDocument,
    { endpointId, state: state ?? null, page },
    { typenames: ['WebhookDelivery'], live: true, refreshMs },
  );
  const { run, busy, fault } = useGraphMutation(RetryDeliveryDocument, {
    invalidates: ['WebhookDelivery'],
    success: 'The event is sent again',
  });
  return (
    <Card title="Deliveries">
      <FaultNote fault={fault} />
      <SelectField
        label="Show"
        options={stateOptions}
        value={state ?? ''}
        onValue={(value) => {
          setState(states.find((one) => one === value));
          setPage(1);
        }}
      />
      <PagedTable
        caption="Deliveries"
        answer={partOf(answer, ({ webhookDeliveries }) => webhookDeliveries)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={<EmptyState title="No deliveries">They are listed here for 30 days.</EmptyState>}
        columns={[
          {
            title: 'Event',
            cell: ({ eventType, eventId, ...delivery }) => (
              <div>
                <strong>{publicName(eventType)}</strong>
                <div className="quiet">
                  <code>{eventId}</code>
                </div>
                <RequestAndAnswer {...delivery} />
              </div>
            ),
          },
          { title: 'State', cell: deliveryState },
          { title: 'Last answer', cell: lastAnswer },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'hide' },
          {
            title: 'Actions',
            align: 'end',
            cell: ({ id, eventType }) =>
              isActive && (
                <Button
                  subject={publicName(eventType)}
                  busy={busy}
                  onClick={() => run({ deliveryId: id })}
                >
                  Send again
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

const RequestAndAnswer = ({ body, lastAnswer }: Pick<Delivery, 'body' | 'lastAnswer'>) => (
  <details>
    <summary>Request and answer</summary>
    <CodeBlock label="Body of the request" text={JSON.stringify(JSON.parse(body), null, 2)} />
    {lastAnswer === null ? (
      <p className="quiet">The receiver has not answered.</p>
    ) : lastAnswer === '' ? (
      <p className="quiet">The last answer had no text.</p>
    ) : (
      <CodeBlock label="Last answer" text={lastAnswer} />
    )}
  </details>
);

const deliveryState = ({ state, nextTryAt }: Delivery) => (
  <>
    <Badge tone={deliveryStates[state].tone}>{deliveryStates[state].label}</Badge>
    {state === 'PENDING' && nextTryAt && (
      <div className="quiet">
        next try <Time at={nextTryAt} style="ago" />
      </div>
    )}
  </>
);

const lastAnswer = ({ lastStatus, lastError, lastTriedAt, tries }: Delivery) =>
  lastTriedAt ? (
    <>
      {lastError ?? lastStatus}
      <div className="quiet">
        <Time at={lastTriedAt} style="ago" />
        {tries > 1 && `, ${tries} tries`}
      </div>
    </>
  ) : (
    <span className="quiet">None yet</span>
  );
