import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { CreateWebhookDocument } from './documents.ts';
import { eventGroups } from './event-labels.ts';

const encodings = [
  { value: 'STANDARD', label: 'Standard Webhooks' },
  { value: 'CLOUD_EVENTS', label: 'CloudEvents' },
] as const;

/** Creates a webhook, then shows its secret once. */
export function CreateWebhook() {
  const create = useGraphMutation(CreateWebhookDocument, { invalidates: ['WebhookEndpoint'] });
  const [secret, setSecret] = useState<string>();
  const submit = async (data: FormData) => {
    const groups = data.getAll('groups').map(String);
    const result = await create.run({
      url: fieldText(data, 'url'),
      description: fieldText(data, 'description'),
      types: eventGroups.flatMap(({ label, types }) => (groups.includes(label) ? types : [])),
      encoding: encodings.find(({ value }) => value === fieldText(data, 'encoding'))?.value,
    });
    setSecret(result?.createWebhookEndpoint.secret);
  };
  return (
    <FormDialog
      icon="plus"
      kind="primary"
      label={t('webhooks.createWebhook')}
      title={secret === undefined ? t('webhooks.createWebhook') : t('webhooks.secretOfWebhook')}
      wide
      action={create}
      onSubmit={submit}
      submit={t('webhooks.create')}
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => (
              <OneTimeSecret label={t('webhooks.secret')} secret={secret} onDone={close}>
                <p>{t('webhooks.secretHint')}</p>
              </OneTimeSecret>
            )
      }
    >
      <TextField
        label={t('webhooks.address')}
        name="url"
        type="url"
        required
        maxLength={2_000}
        placeholder="https://hooks.example.com/atrium"
        hint={t('webhooks.addressHint')}
      />
      <TextField
        label={t('webhooks.description')}
        name="description"
        required={false}
        maxLength={200}
      />
      <fieldset className="settings-choices">
        <legend>{t('webhooks.events')}</legend>
        <p className="hint">{t('webhooks.eventsHint')}</p>
        <div className="field-grid">
          {eventGroups.map(({ label }) => (
            <CheckField key={label} label={t(label)} name="groups" value={label} />
          ))}
        </div>
      </fieldset>
      <SelectField label={t('webhooks.encoding')} name="encoding" options={encodings} />
    </FormDialog>
  );
}
