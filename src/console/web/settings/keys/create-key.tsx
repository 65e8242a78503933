import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { textFieldValue } from '../text-field-value.ts';
import type { CreateUserKeyMutation, CreateUserKeyMutationVariables } from './documents.ts';
import { type ExampleCall, ExampleCommand } from './example-command.tsx';
import { expiryOptions, toExpiresAt } from './expiry.ts';

type CreateKeyProps = {
  createDocument: TypedDocumentNode<CreateUserKeyMutation, CreateUserKeyMutationVariables>;
  /** Example calls for the new key. */
  exampleCalls: readonly ExampleCall[];
  onClose: () => void;
};

/** Creates a key from a name and an expiry, then shows it once. */
export function CreateKey({ createDocument, exampleCalls, onClose }: CreateKeyProps) {
  const { run, busy, fault, clear } = useGraphMutation(createDocument, { invalidates: ['ApiKey'] });
  const [submitted, setSubmitted] = useState<FormData>();
  const [choice, setChoice] = useState<string>(expiryOptions[0].value);
  const [secret, setSecret] = useState<string>();

  const create = async (data: FormData) => {
    setSubmitted(data);
    const result = await run({
      name: textFieldValue(data, 'name'),
      expiresAt: toExpiresAt(choice, textFieldValue(data, 'day')),
    });
    if (result) setSecret(result.created.key);
  };

  if (secret !== undefined) {
    return (
      <Dialog title="Your new key" open onClose={onClose} wide>
        <OneTimeSecret label="Key" secret={secret} onDone={onClose}>
          {exampleCalls.map((call) => (
            <ExampleCommand key={call.path} secret={secret} {...call} />
          ))}
        </OneTimeSecret>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create key" open onClose={onClose}>
      <Form label="Create key" onSubmit={create} fault={isNotRecent(fault) ? undefined : fault}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          hint="For example the program that uses it."
          autoComplete="off"
        />
        <SelectField
          label="Expires"
          name="expiry"
          options={expiryOptions}
          value={choice}
          onChange={({ target }) => setChoice(target.value)}
        />
        {choice === 'day' && (
          <TextField label="Last day" name="day" type="date" required min={tomorrow()} />
        )}
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Create
          </Button>
        </FormButtons>
      </Form>
      <ConfirmPassword
        fault={fault}
        onConfirmed={() => submitted && create(submitted)}
        onClose={clear}
      />
    </Dialog>
  );
}

function tomorrow(): string {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
