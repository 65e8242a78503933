import { useState } from 'react';
import { useLocation } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { CopyBox, OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, FaultNote, Loaded, Notice } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { CheckSignatures } from './check-signatures.tsx';
import { Deliveries } from './deliveries.tsx';
import {
  DeleteWebhookDocument,
  ReplayEventsDocument,
  RotateSecretDocument,
  SendTestDocument,
  SetWebhookActiveDocument,
  WebhookDocument,
  type WebhookFieldsFragment,
} from './documents.ts';
import { disabledReasons, endpointStates, eventsOf } from './event-labels.ts';

const hourMs = 3_600_000;

export function WebhookPage({ endpointId }: { endpointId: string }) {
  const answer = useGraphQuery(WebhookDocument, { endpointId }, { typenames: ['WebhookEndpoint'] });
  return (
    <Loaded answer={answer} lines={8}>
      {({ webhookEndpoint: endpoint }) => (
        <>
          <PageHead
            title={new URL(endpoint.url).host}
            back={{ href: '/webhooks', label: 'Webhooks' }}
            lead={endpoint.url}
            actions={endpoint.isActive && <SendTest endpointId={endpointId} />}
          />
          <Card title="State">
            <EndpointState {...endpoint} />
          </Card>
          <Deliveries endpointId={endpointId} isActive={endpoint.isActive} />
          <CheckSignatures />
          <Card title="Keys and settings">
            {endpoint.publicKey && (
              <CopyBox label="Public key for the signatures v1a" text={endpoint.publicKey} />
            )}
            <div className="row">
              <RotateSecret endpointId={endpointId} />
              <SetActive {...endpoint} />
              <DeleteWebhook {...endpoint} />
            </div>
          </Card>
        </>
      )}
    </Loaded>
  );
}

function EndpointState(endpoint: WebhookFieldsFragment) {
  const { id, description, state, disabledReason, isActive, isReplaying } = endpoint;
  return (
    <>
      <p>
        <Badge tone={endpointStates[state].tone}>{endpointStates[state].label}</Badge>{' '}
        {disabledReason && disabledReasons[disabledReason]}
        {state === 'FAILING' && 'Nothing was delivered for five minutes. Events are still tried.'}
      </p>
      <p>
        {eventsOf(endpoint)}
        {endpoint.encoding === 'CLOUD_EVENTS' && ', as CloudEvents'}
      </p>
      {description && <p className="quiet">{description}</p>}
      {endpoint.previousSecretUntil && (
        <p className="quiet">
          The previous secret also signs until <Time at={endpoint.previousSecretUntil} />.
        </p>
      )}
      {isReplaying && <Notice tone="busy">Earlier events are being sent again.</Notice>}
      {isActive && <ReplayEvents endpointId={id} />}
    </>
  );
}

type EndpointProps = { endpointId: string };

function SendTest({ endpointId }: EndpointProps) {
  const { run, busy, fault } = useGraphMutation(SendTestDocument, {
    invalidates: ['WebhookDelivery'],
    success: 'A test is on its way',
  });
  return (
    <>
      <FaultNote fault={fault} />
      <Button kind="primary" busy={busy} onClick={() => run({ endpointId })}>
        Send a test
      </Button>
    </>
  );
}

const replayTimes = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last seven days' },
  { value: '719', label: 'The last 30 days' },
];
const replayKinds = [
  { value: 'failed', label: 'Only those that could not be delivered' },
  { value: 'all', label: 'All events' },
];

function ReplayEvents({ endpointId }: EndpointProps) {
  const replay = useGraphMutation(ReplayEventsDocument, {
    invalidates: ['WebhookDelivery'],
    success: 'The events are being sent again',
  });
  const submit = (data: FormData) =>
    replay.run({
      endpointId,
      from: new Date(Date.now() - Number(fieldText(data, 'hours')) * hourMs).toISOString(),
      onlyFailed: fieldText(data, 'kind') === 'failed',
    });
  return (
    <FormDialog
      label="Send events again"
      title="Send events again"
      action={replay}
      onSubmit={submit}
      submit="Send"
    >
      <SelectField label="Period" name="hours" options={replayTimes} defaultValue="24" />
      <SelectField label="Events" name="kind" options={replayKinds} />
    </FormDialog>
  );
}

const overlaps = [
  { value: '24', label: 'For a day' },
  { value: '1', label: 'For an hour' },
  { value: '168', label: 'For seven days' },
  { value: '0', label: 'No' },
];

function RotateSecret({ endpointId }: EndpointProps) {
  const rotate = useGraphMutation(RotateSecretDocument);
  const [secret, setSecret] = useState<string>();
  const submit = async (data: FormData) => {
    const result = await rotate.run({
      endpointId,
      overlapHours: Number(fieldText(data, 'overlapHours')),
    });
    setSecret(result?.rotateWebhookSecret.secret);
  };
  return (
    <FormDialog
      label="New secret"
      title={secret === undefined ? 'New secret' : 'The new secret'}
      action={rotate}
      onSubmit={submit}
      submit="Create"
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => <OneTimeSecret label="Secret" secret={secret} onDone={close} />
      }
    >
      <SelectField label="Keep the previous secret" name="overlapHours" options={overlaps} />
    </FormDialog>
  );
}

function SetActive({ id, isActive }: WebhookFieldsFragment) {
  const { run, busy, fault } = useGraphMutation(SetWebhookActiveDocument, {
    invalidates: ['WebhookDelivery'],
  });
  if (isActive)
    return (
      <ConfirmButton
        label="Disable"
        title="Disable this webhook?"
        question="It gets no more events, and those that wait are given up."
        confirmLabel="Disable"
        done="The webhook was disabled"
        onConfirm={() => run({ endpointId: id, isActive: false })}
        action={{ busy, fault }}
      />
    );
  return (
    <>
      <FaultNote fault={fault} />
      <Button busy={busy} onClick={() => run({ endpointId: id, isActive: true })}>
        Activate
      </Button>
    </>
  );
}

function DeleteWebhook({ id, url }: WebhookFieldsFragment) {
  const { run, busy, fault } = useGraphMutation(DeleteWebhookDocument, {
    invalidates: ['WebhookEndpoint'],
    success: 'The webhook was deleted',
  });
  const [, go] = useLocation();
  const remove = async () => {
    if (await run({ endpointId: id })) go('/webhooks');
  };
  return (
    <ConfirmButton
      label="Delete"
      title="Delete this webhook?"
      question={`${url} gets no more events, and its deliveries are deleted. This cannot be undone.`}
      confirmLabel="Delete"
      onConfirm={remove}
      action={{ busy, fault }}
    />
  );
}
