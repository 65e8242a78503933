import { type ReactNode, useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { createPasskey, supportsPasskeys } from '../../session/passkey-browser.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  AddPasskeyDocument,
  RemovePasskeyDocument,
  RenamePasskeyDocument,
  type SecondFactorQuery,
  StartPasskeyDocument,
} from './documents.ts';

type PasskeyRow = SecondFactorQuery['secondFactor']['passkeys'][number];
type PasskeysProps = {
  passkeys: readonly PasskeyRow[];
  onSetUp: (recoveryCodes: readonly string[]) => void;
  onRemoved: () => void;
};

const invalidates = ['SecondFactor', 'Passkey', 'Session'];

/** The passkeys of a person, each with what it is called. */
export function Passkeys({ passkeys, onSetUp, onRemoved }: PasskeysProps) {
  return (
    <div className="settings-factor">
      <h3>Passkeys</h3>
      <p>
        A passkey is in your device or password manager. It signs you in with your finger, face or
        PIN, without a password.
      </p>
      {passkeys.length > 0 && (
        <ul className="settings-found" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}
                <span className="hint">
                  Added <Time at={passkey.createdAt} />,{' '}
                  {passkey.lastUsedAt === null ? (
                    'not used yet'
                  ) : (
                    <LastUsed at={passkey.lastUsedAt} />
                  )}
                </span>
              </span>
              <span className="settings-factor-buttons">
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
          This browser can not make passkeys here. They need a current browser and an address with a
          name.
        </p>
      )}
    </div>
  );
}

const LastUsed = ({ at }: { at: string }) => (
  <>
    used <Time at={at} style="ago" />
  </>
);

function AddPasskey({ onSetUp }: Pick<PasskeysProps, 'onSetUp'>) {
  const start = useGraphMutation(StartPasskeyDocument);
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>();
  const begin = async () => {
    const done = await start.run({});
    if (done) setOptions(Object(done.startPasskey));
  };
  const close = () => setOptions(undefined);
  return (
    <>
      {start.fault && !isNotRecent(start.fault) && <FaultNote fault={start.fault} />}
      <Button busy={start.busy} onClick={begin}>
        Add a passkey
      </Button>
      <ConfirmPassword fault={start.fault} onConfirmed={begin} onClose={start.clear} />
      <Dialog title="Add a passkey" open={options !== undefined} onClose={close}>
        {options && (
          <NewPasskey
            options={options}
            onSetUp={(codes) => {
              close();
              onSetUp(codes);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

function NewPasskey({
  options,
  onSetUp,
}: {
  options: Readonly<Record<string, unknown>>;
  onSetUp: PasskeysProps['onSetUp'];
}) {
  const { run, busy, fault } = useGraphMutation(AddPasskeyDocument, { invalidates });
  const [isCancelled, setCancelled] = useState(false);
  const submit = async (data: FormData) => {
    setCancelled(false);
    const response = await createPasskey(options);
    if (response === undefined) return setCancelled(true);
    const done = await run({ name: String(data.get('name')), response });
    if (done) onSetUp(done.addPasskey);
  };
  return (
    <NameForm label="Add a passkey" buttonLabel="Go on" busy={busy} fault={fault} onSubmit={submit}>
      {isCancelled && (
        <Notice>No passkey was made. Perhaps this device has one of your account already.</Notice>
      )}
    </NameForm>
  );
}

function RenamePasskey({ passkey: { id, name } }: { passkey: PasskeyRow }) {
  const { run, busy, fault } = useGraphMutation(RenamePasskeyDocument, {
    invalidates: ['Passkey'],
  });
  const [isOpen, setOpen] = useState(false);
  const submit = async (data: FormData) => {
    if (await run({ id, name: String(data.get('name')) })) setOpen(false);
  };
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        Rename<span className="sr-only"> {name}</span>
      </Button>
      <Dialog title="Rename the passkey" open={isOpen} onClose={() => setOpen(false)}>
        <NameForm
          label="Rename the passkey"
          buttonLabel="Save"
          name={name}
          busy={busy}
          fault={fault}
          onSubmit={submit}
        />
      </Dialog>
    </>
  );
}

type NameFormProps = {
  label: string;
  buttonLabel: string;
  name?: string;
  busy: boolean;
  fault: Fault | undefined;
  onSubmit: (data: FormData) => unknown;
  children?: ReactNode;
};

function NameForm({
  label,
  buttonLabel,
  name = '',
  busy,
  fault,
  onSubmit,
  children,
}: NameFormProps) {
  return (
    <Form label={label} onSubmit={onSubmit} fault={fault}>
      {children}
      <TextField
        label="Name"
        name="name"
        hint="Such as the device that holds it."
        required
        maxLength={100}
        defaultValue={name}
      />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          {buttonLabel}
        </Button>
      </FormButtons>
    </Form>
  );
}

function RemovePasskey({
  passkey: { id, name },
  onRemoved,
}: {
  passkey: PasskeyRow;
  onRemoved: () => void;
}) {
  const { run, fault, clear } = useGraphMutation(RemovePasskeyDocument, { invalidates });
  const toast = useToast();
  const remove = async () => {
    if (!(await run({ id }))) return;
    toast('The passkey is removed');
    onRemoved();
  };
  return (
    <>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <ConfirmButton
        kind="quiet"
        label={
          <>
            Remove<span className="sr-only"> {name}</span>
          </>
        }
        title="Remove this passkey?"
        question={`“${name}” no longer signs you in. Delete it on the device as well.`}
        confirmLabel="Remove"
        onConfirm={remove}
      />
      <ConfirmPassword fault={fault} onConfirmed={remove} onClose={clear} />
    </>
  );
}
