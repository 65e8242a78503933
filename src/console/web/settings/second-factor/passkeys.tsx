import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { createPasskey, supportsPasskeys } from '../../session/passkey-browser.ts';
import { richText, t } from '../../texts/text.ts';
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
      <h3>{t('security.passkeys')}</h3>
      <p>{t('security.passkeyHint')}</p>
      {passkeys.length > 0 && (
        <ul className="plain-list settings-list" aria-label={t('security.passkeys')}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}
                <span className="hint">
                  {richText('security.passkeyAdded', {
                    isUsed: passkey.lastUsedAt === null ? 'no' : 'yes',
                    created: () => <Time at={passkey.createdAt} />,
                    used: () => (
                      <Time at={passkey.lastUsedAt} style="ago" none={t('security.neverUsed')} />
                    ),
                  })}
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
        <p className="quiet">{t('security.noPasskeysHere')}</p>
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
        {t('security.addPasskey')}
      </Button>
      <Dialog title={t('security.addPasskey')} open={options !== undefined} onClose={close}>
        <Form
          label={t('security.addPasskey')}
          onSubmit={submit}
          action={add}
          submit={t('security.continue')}
        >
          {isCancelled && <Notice>{t('security.noPasskeyCreated')}</Notice>}
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
      label={t('security.rename')}
      subject={name}
      title={t('security.renamePasskey')}
      action={rename}
      onSubmit={(data) => rename.run({ id, name: String(data.get('name')) })}
      submit={t('security.save')}
    >
      <PasskeyName name={name} />
    </FormDialog>
  );
}

const PasskeyName = ({ name }: { name?: string }) => (
  <NameField hint={t('security.passkeyNameHint')} maxLength={100} defaultValue={name} />
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
    success: t('security.passkeyRemoved'),
  });
  const remove = async () => {
    if (await run({ id })) onRemoved();
  };
  return (
    <ConfirmButton
      kind="quiet"
      label={t('security.remove')}
      subject={name}
      title={t('security.removePasskeyQuestion')}
      question={t('security.removePasskeyHint', { name })}
      confirmLabel={t('security.remove')}
      onConfirm={remove}
      action={{ busy, fault }}
    />
  );
}
