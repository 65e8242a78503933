import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { CreateWebhookDocument } from './documents.ts';
import { eventGroups, groupNames } from './event-labels.ts';

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
      types: groups.flatMap((group) => eventGroups[group] ?? []),
      encoding: encodings.find(({ value }) => value === fieldText(data, 'encoding'))?.value,
    });
    setSecret(result?.createWebhookEndpoint.secret);
  };
  return (
    <FormDialog
      icon="plus"
      kind="primary"
      label="Create webhook"
      title={secret === undefined ? 'Create webhook' : 'Secret of the webhook'}
      wide
      action={create}
      onSubmit={submit}
      submit="Create"
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => (
              <OneTimeSecret label="Secret" secret={secret} onDone={close}>
                <p>
                  The receiver checks signatures with it. The guide “Webhooks” has the code for
                  Node, Python and Go.
                </p>
              </OneTimeSecret>
            )
      }
    >
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2_000}
        placeholder="https://hooks.example.com/atrium"
        hint="An https address on a public host."
      />
      <TextField label="Description" name="description" required={false} maxLength={200} />
      <fieldset className="settings-choices">
        <legend>Events</legend>
        <p className="hint">If you choose none, all events are sent.</p>
        <div className="field-grid">
          {groupNames.map((group) => (
            <CheckField key={group} label={group} name="groups" value={group} />
          ))}
        </div>
      </fieldset>
      <SelectField label="Encoding" name="encoding" options={encodings} />
    </FormDialog>
  );
}
