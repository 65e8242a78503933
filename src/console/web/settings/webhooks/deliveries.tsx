import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t, withTexts } from '../../texts/text.ts';
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
  { value: '', label: 'webhooks.all' },
  ...states.map((value) => ({ value, label: deliveryStates[value].label })),
] as const;
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
    success: t('webhooks.sentAgain'),
  });
  return (
    <Card title={t('webhooks.deliveries')}>
      <FaultNote fault={fault} />
      <SelectField
        label={t('webhooks.show')}
        options={withTexts(stateOptions)}
        value={state ?? ''}
        onValue={(value) => {
          setState(states.find((one) => one === value));
          setPage(1);
        }}
      />
      <PagedTable
        caption={t('webhooks.deliveries')}
        answer={partOf(answer, ({ webhookDeliveries }) => webhookDeliveries)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={
          <EmptyState title={t('webhooks.noDeliveries')}>{t('webhooks.deliveriesHint')}</EmptyState>
        }
        columns={[
          {
            title: t('webhooks.event'),
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
          { title: t('webhooks.state'), cell: deliveryState },
          { title: t('webhooks.lastAnswer'), cell: lastAnswer },
          {
            title: t('webhooks.created'),
            cell: ({ createdAt }) => <Time at={createdAt} />,
            narrow: 'hide',
          },
          {
            title: t('webhooks.actions'),
            align: 'end',
            cell: ({ id, eventType }) =>
              isActive && (
                <Button
                  subject={publicName(eventType)}
                  busy={busy}
                  onClick={() => run({ deliveryId: id })}
                >
                  {t('webhooks.sendAgain')}
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
    <summary>{t('webhooks.requestAndAnswer')}</summary>
    <CodeBlock label={t('webhooks.requestBody')} text={JSON.stringify(JSON.parse(body), null, 2)} />
    {lastAnswer === null ? (
      <p className="quiet">{t('webhooks.notAnswered')}</p>
    ) : lastAnswer === '' ? (
      <p className="quiet">{t('webhooks.answerEmpty')}</p>
    ) : (
      <CodeBlock label={t('webhooks.lastAnswer')} text={lastAnswer} />
    )}
  </details>
);

const deliveryState = ({ state, nextTryAt }: Delivery) => (
  <>
    <Badge tone={deliveryStates[state].tone}>{t(deliveryStates[state].label)}</Badge>
    {state === 'PENDING' && nextTryAt && (
      <div className="quiet">
        {t('webhooks.nextTry')} <Time at={nextTryAt} style="ago" />
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
        {tries > 1 && t('webhooks.tries', { tries })}
      </div>
    </>
  ) : (
    <span className="quiet">{t('webhooks.noneYet')}</span>
  );
