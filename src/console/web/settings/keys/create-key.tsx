import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
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
  { value: '90', label: 'In 90 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In one year' },
  { value: 'day', label: 'On a date' },
  { value: 'never', label: 'Never' },
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
      label="Create key"
      title={secret === undefined ? 'Create key' : 'Your new key'}
      wide={secret !== undefined}
      action={create}
      onSubmit={submit}
      submit="Create"
      onClose={() => setSecret(undefined)}
      result={
        secret === undefined
          ? undefined
          : (close) => (
              <OneTimeSecret label="Key" secret={secret} onDone={close}>
                {exampleCalls.map(({ path, does, body }) => (
                  <CodeBlock
                    key={path}
                    label={`Try it in a terminal; this ${does}:`}
                    copyLabel="Copy command"
                    text={`curl -H 'Authorization: Bearer ${secret}'${bodyOptions(body)} ${location.origin}${path}`}
                  />
                ))}
              </OneTimeSecret>
            )
      }
    >
      <NameField hint="For example the program that uses it." />
      <SelectField
        label="Expires"
        name="expiry"
        options={expiryOptions}
        value={expiry}
        onValue={setExpiry}
      />
      {expiry === 'day' && (
        <TextField label="Last day" name="day" type="date" required min={tomorrow()} />
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
