import { type ReactNode, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
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
        <ul className="settings-list" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}
                <span className="hint">
                  Added <Time at={passkey.createdAt} />,{' '}
                  {passkey.lastUsedAt === null ? (
                    'never used'
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
          This browser cannot create passkeys here. Passkeys need a current browser and a host name
          in the address.
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
  const startSetup = async () => {
    const result = await start.run({});
    if (result) setOptions(Object(result.startPasskey));
  };
  const close = () => setOptions(undefined);
  return (
    <>
      {start.fault && !isNotRecent(start.fault) && <FaultNote fault={start.fault} />}
      <Button busy={start.busy} onClick={startSetup}>
        Add passkey
      </Button>
      <ConfirmPassword fault={start.fault} onConfirmed={startSetup} onClose={start.clear} />
      <Dialog title="Add passkey" open={options !== undefined} onClose={close}>
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
    const result = await run({ name: String(data.get('name')), response });
    if (result) onSetUp(result.addPasskey);
  };
  return (
    <NameForm
      label="Add passkey"
      buttonLabel="Continue"
      busy={busy}
      fault={fault}
      onSubmit={submit}
    >
      {isCancelled && (
        <Notice>No passkey was created. This device may already have one for your account.</Notice>
      )}
    </NameForm>
  );
}

function RenamePasskey({ passkey: { id, name } }: { passkey: PasskeyItem }) {
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
      <Dialog title="Rename passkey" open={isOpen} onClose={() => setOpen(false)}>
        <NameForm
          label="Rename passkey"
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
  fault: ApiFault | undefined;
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
        hint="For example the device that stores it."
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
  passkey: PasskeyItem;
  onRemoved: () => void;
}) {
  const { run, fault, clear } = useGraphMutation(RemovePasskeyDocument, { invalidates });
  const toast = useToast();
  const remove = async () => {
    if (!(await run({ id }))) return;
    toast('The passkey was removed');
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
