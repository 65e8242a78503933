import { useState } from 'react';
import { useLocation } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { richText, t, withTexts } from '../../texts/text.ts';
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
            back={{ href: '/webhooks', label: t('webhooks.webhooks') }}
            lead={endpoint.url}
            actions={endpoint.isActive && <SendTest endpointId={endpointId} />}
          />
          <Card title={t('webhooks.state')}>
            <EndpointState {...endpoint} />
          </Card>
          <Deliveries endpointId={endpointId} isActive={endpoint.isActive} />
          <CheckSignatures />
          <Card title={t('webhooks.keysAndSettings')}>
            {endpoint.publicKey && (
              <CopyBox label={t('webhooks.publicKey')} text={endpoint.publicKey} />
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
        <Badge tone={endpointStates[state].tone}>{t(endpointStates[state].label)}</Badge>{' '}
        {disabledReason && t(disabledReasons[disabledReason])}
        {state === 'FAILING' && t('webhooks.failingHint')}
      </p>
      <p>
        {eventsOf(endpoint)}
        {endpoint.encoding === 'CLOUD_EVENTS' && t('webhooks.asCloudEvents')}
      </p>
      {description && <p className="quiet">{description}</p>}
      {endpoint.previousSecretUntil && (
        <p className="quiet">
          {richText('webhooks.previousSecret', {
            time: () => <Time at={endpoint.previousSecretUntil} />,
          })}
        </p>
      )}
      {isReplaying && <Notice tone="busy">{t('webhooks.replaying')}</Notice>}
      {isActive && <ReplayEvents endpointId={id} />}
    </>
  );
}

type EndpointProps = { endpointId: string };

function SendTest({ endpointId }: EndpointProps) {
  const { run, busy, fault } = useGraphMutation(SendTestDocument, {
    invalidates: ['WebhookDelivery'],
    success: t('webhooks.testSent'),
  });
  return (
    <>
      <FaultNote fault={fault} />
      <Button kind="primary" busy={busy} onClick={() => run({ endpointId })}>
        {t('webhooks.sendTest')}
      </Button>
    </>
  );
}

const replayTimes = [
  { value: '1', label: 'webhooks.lastHour' },
  { value: '24', label: 'webhooks.lastDay' },
  { value: '168', label: 'webhooks.lastSevenDays' },
  { value: '719', label: 'webhooks.last30Days' },
] as const;
const replayKinds = [
  { value: 'failed', label: 'webhooks.onlyFailed' },
  { value: 'all', label: 'webhooks.allEvents' },
] as const;

function ReplayEvents({ endpointId }: EndpointProps) {
  const replay = useGraphMutation(ReplayEventsDocument, {
    invalidates: ['WebhookDelivery'],
    success: t('webhooks.eventsSentAgain'),
  });
  const submit = (data: FormData) =>
    replay.run({
      endpointId,
      from: new Date(Date.now() - Number(fieldText(data, 'hours')) * hourMs).toISOString(),
      onlyFailed: fieldText(data, 'kind') === 'failed',
    });
  return (
    <FormDialog
      label={t('webhooks.sendEventsAgain')}
      title={t('webhooks.sendEventsAgain')}
      action={replay}
      onSubmit={submit}
      submit={t('webhooks.send')}
    >
      <SelectField
        label={t('webhooks.period')}
        name="hours"
        options={withTexts(replayTimes)}
        defaultValue="24"
      />
      <SelectField label={t('webhooks.events')} name="kind" options={withTexts(replayKinds)} />
    </FormDialog>
  );
}

const overlaps = [
  { value: '24', label: 'webhooks.forDay' },
  { value: '1', label: 'webhooks.forHour' },
  { value: '168', label: 'webhooks.forSevenDays' },
  { value: '0', label: 'webhooks.no' },
] as const;

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
      label={t('webhooks.newSecret')}
      title={secret === undefined ? t('webhooks.newSecret') : t('webhooks.theNewSecret')}
      action={rotate}
      onSubmit={submit}
      submit={t('webhooks.create')}
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => <OneTimeSecret label={t('webhooks.secret')} secret={secret} onDone={close} />
      }
    >
      <SelectField
        label={t('webhooks.keepPrevious')}
        name="overlapHours"
        options={withTexts(overlaps)}
      />
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
        label={t('webhooks.disable')}
        title={t('webhooks.disableQuestion')}
        question={t('webhooks.disableHint')}
        confirmLabel={t('webhooks.disable')}
        done={t('webhooks.wasDisabled')}
        onConfirm={() => run({ endpointId: id, isActive: false })}
        action={{ busy, fault }}
      />
    );
  return (
    <>
      <FaultNote fault={fault} />
      <Button busy={busy} onClick={() => run({ endpointId: id, isActive: true })}>
        {t('webhooks.activate')}
      </Button>
    </>
  );
}

function DeleteWebhook({ id, url }: WebhookFieldsFragment) {
  const { run, busy, fault } = useGraphMutation(DeleteWebhookDocument, {
    invalidates: ['WebhookEndpoint'],
    success: t('webhooks.wasDeleted'),
  });
  const [, go] = useLocation();
  const remove = async () => {
    if (await run({ endpointId: id })) go('/webhooks');
  };
  return (
    <ConfirmButton
      label={t('webhooks.delete')}
      title={t('webhooks.deleteQuestion')}
      question={t('webhooks.deleteHint', { url })}
      confirmLabel={t('webhooks.delete')}
      onConfirm={remove}
      action={{ busy, fault }}
    />
  );
}
