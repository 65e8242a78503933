import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { createPasskey, supportsPasskeys } from '../../session/passkey-browser.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog, FormDialog } from '../../ui/dialog.tsx';
import { NameField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FaultNote, Notice } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import {
  AddPasskeyDocument,
  RemovePasskeyDocument,
  RenamePasskeyDocument,
  type SecondFactorQuery,
  StartPasskeyDocument,
} from './documents.ts';

type PasskeyItem = SecondFactorQuery['secondFactor']['passkeys'][number];
type PasskeysProps = {
  passkeys: readonly PasskeyItem[];
  onSetUp: (recoveryCodes: readonly string[]) => void;
  onRemoved: () => void;
};

const invalidates = ['SecondFactor', 'Passkey', 'Session'];

/** The passkeys of a person. Each one can be renamed and removed. */
export function Passkeys({ passkeys, onSetUp, onRemoved }: PasskeysProps) {
  return (
    <div className="settings-factor">
      <h3>Passkeys</h3>
      <p>
        A passkey is stored in your device or password manager. It signs you in with your
        fingerprint, face or PIN instead of a password.
      </p>
      {passkeys.length > 0 && (
        <ul className="plain-list settings-list" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}
                <span className="hint">
                  Added <Time at={passkey.createdAt} />, {passkey.lastUsedAt !== null && 'used '}
                  <Time at={passkey.lastUsedAt} style="ago" none="never used" />
                </span>
              </span>
              <span className="row">
                <RenamePasskey passkey={passkey} />
                <RemovePasskey passkey={passkey} onRemoved={onRemoved} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {supportsPasskeys() ? (
        <AddPasskey onSetUp={onSetUp} />
      ) : (
        <p className="quiet">
          This browser cannot create passkeys here. Passkeys need a current browser and a host name
          in the address.
        </p>
      )}
    </div>
  );
}

function AddPasskey({ onSetUp }: Pick<PasskeysProps, 'onSetUp'>) {
  const start = useGraphMutation(StartPasskeyDocument);
  const add = useGraphMutation(AddPasskeyDocument, { invalidates });
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>();
  const [isCancelled, setCancelled] = useState(false);
  const startSetup = async () => {
    const result = await start.run({});
    if (result) setOptions(Object(result.startPasskey.options));
  };
  const close = () => {
    setOptions(undefined);
    setCancelled(false);
    add.clear();
  };
  const submit = async (data: FormData) => {
    setCancelled(false);
    const response = await createPasskey(options ?? {});
    if (response === undefined) return setCancelled(true);
    const result = await add.run({ name: String(data.get('name')), response });
    if (!result) return;
    close();
    onSetUp(result.addPasskey.recoveryCodes);
  };
  return (
    <>
      <FaultNote fault={start.fault} />
      <Button busy={start.busy} onClick={startSetup}>
        Add passkey
      </Button>
      <Dialog title="Add passkey" open={options !== undefined} onClose={close}>
        <Form label="Add passkey" onSubmit={submit} action={add} submit="Continue">
          {isCancelled && (
            <Notice>
              No passkey was created. This device may already have one for your account.
            </Notice>
          )}
          <PasskeyName />
        </Form>
      </Dialog>
    </>
  );
}

function RenamePasskey({ passkey: { id, name } }: { passkey: PasskeyItem }) {
  const rename = useGraphMutation(RenamePasskeyDocument, { invalidates: ['Passkey'] });
  return (
    <FormDialog
      kind="quiet"
      label="Rename"
      subject={name}
      title="Rename passkey"
      action={rename}
      onSubmit={(data) => rename.run({ id, name: String(data.get('name')) })}
      submit="Save"
    >
      <PasskeyName name={name} />
    </FormDialog>
  );
}

const PasskeyName = ({ name }: { name?: string }) => (
  <NameField hint="For example the device that stores it." maxLength={100} defaultValue={name} />
);

function RemovePasskey({
  passkey: { id, name },
  onRemoved,
}: {
  passkey: PasskeyItem;
  onRemoved: () => void;
}) {
  const { run, busy, fault } = useGraphMutation(RemovePasskeyDocument, {
    invalidates,
    success: 'The passkey was removed',
  });
  const remove = async () => {
    if (await run({ id })) onRemoved();
  };
  return (
    <ConfirmButton
      kind="quiet"
      label="Remove"
      subject={name}
      title="Remove this passkey?"
      question={`“${name}” no longer signs you in. Delete it on the device as well.`}
      confirmLabel="Remove"
      onConfirm={remove}
      action={{ busy, fault }}
    />
  );
}
