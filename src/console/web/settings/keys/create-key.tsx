import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t, withTexts } from '../../texts/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { NameField, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import type { CreateUserKeyMutation, CreateUserKeyMutationVariables } from './documents.ts';

/** A first call with the new key. */
export type ExampleCall = { path: string; does: string; body?: string };

export type CreateKeyProps = {
  createDocument: TypedDocumentNode<CreateUserKeyMutation, CreateUserKeyMutationVariables>;
  exampleCalls: readonly ExampleCall[];
};

/** The choices for a key's lifetime; `day` asks for a date. */
const expiryOptions = [
  { value: '90', label: 'keys.in90Days' },
  { value: '30', label: 'keys.in30Days' },
  { value: '365', label: 'keys.inOneYear' },
  { value: 'day', label: 'keys.onDate' },
  { value: 'never', label: 'ui.never' },
] as const;

/** Creates a key from a name and an expiry, then shows it once. */
export function CreateKey({ createDocument, exampleCalls }: CreateKeyProps) {
  const create = useGraphMutation(createDocument, { invalidates: ['ApiKey'] });
  const [expiry, setExpiry] = useState<string>(expiryOptions[0].value);
  const [secret, setSecret] = useState<string>();
  const submit = async (data: FormData) => {
    const expiresAt = toExpiresAt(expiry, fieldText(data, 'day'));
    const result = await create.run({ name: fieldText(data, 'name'), expiresAt });
    setSecret(result?.created.key);
  };
  return (
    <FormDialog
      icon="plus"
      kind="primary"
      label={t('keys.createKey')}
      title={secret === undefined ? t('keys.createKey') : t('keys.yourNewKey')}
      wide={secret !== undefined}
      action={create}
      onSubmit={submit}
      submit={t('keys.create')}
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => (
              <OneTimeSecret label={t('keys.key')} secret={secret} onDone={close}>
                {exampleCalls.map(({ path, does, body }) => (
                  <CodeBlock
                    key={path}
                    label={t('keys.tryInTerminal', { does })}
                    copyLabel={t('keys.copyCommand')}
                    text={`curl -H 'Authorization: Bearer ${secret}'${bodyOptions(body)} ${location.origin}${path}`}
                  />
                ))}
              </OneTimeSecret>
            )
      }
    >
      <NameField hint={t('keys.nameHint')} />
      <SelectField
        label={t('keys.expires')}
        name="expiry"
        options={withTexts(expiryOptions)}
        value={expiry}
        onValue={setExpiry}
      />
      {expiry === 'day' && (
        <TextField
          label={t('keys.lastDay')}
          name="day"
          type="date"
          required
          min={tomorrow()}
          max="9999-12-31"
        />
      )}
    </FormDialog>
  );
}

const bodyOptions = (body: string | undefined) =>
  body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`;

/** The time at which the key expires; null for never. A chosen date is included. */
function toExpiresAt(choice: string, day: string): string | null {
  if (choice === 'never') return null;
  const end =
    choice === 'day'
      ? new Date(`${day}T23:59:59.999`)
      : new Date(Date.now() + Number(choice) * 86_400_000);
  return end.toISOString();
}

function tomorrow(): string {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
