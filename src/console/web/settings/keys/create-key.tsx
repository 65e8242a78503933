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
import { expiryOf, expiryOptions } from './expiry.ts';
import { type Try, TryKey } from './try-key.tsx';

type CreateKeyProps = {
  createDocument: TypedDocumentNode<CreateUserKeyMutation, CreateUserKeyMutationVariables>;
  /** Calls that the new key can make. */
  tries: readonly Try[];
  onClose: () => void;
};

/** Asks for a name and an end, then shows the key once. */
export function CreateKey({ createDocument, tries, onClose }: CreateKeyProps) {
  const { run, busy, fault, clear } = useGraphMutation(createDocument, { invalidates: ['ApiKey'] });
  const [entered, setEntered] = useState<FormData>();
  const [choice, setChoice] = useState<string>(expiryOptions[0].value);
  const [secret, setSecret] = useState<string>();

  const create = async (data: FormData) => {
    setEntered(data);
    const made = await run({
      name: textFieldValue(data, 'name'),
      expiresAt: expiryOf(choice, textFieldValue(data, 'day')),
    });
    if (made) setSecret(made.made.key);
  };

  if (secret !== undefined) {
    return (
      <Dialog title="Your new key" open onClose={onClose} wide>
        <OneTimeSecret label="Key" secret={secret} onDone={onClose}>
          {tries.map((one) => (
            <TryKey key={one.path} secret={secret} {...one} />
          ))}
        </OneTimeSecret>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a key" open onClose={onClose}>
      <Form label="Create a key" onSubmit={create} fault={isNotRecent(fault) ? undefined : fault}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          hint="What will use it, so that you know it again."
          autoComplete="off"
        />
        <SelectField
          label="Works for"
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
        onConfirmed={() => entered && create(entered)}
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
