import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { CopyBox } from '../../ui/one-time-secret.tsx';
import { createQrCode, QrImage } from '../../ui/qr.tsx';
import { FaultNote } from '../../ui/status.tsx';
import {
  ConfirmAuthenticatorAppDocument,
  RemoveAuthenticatorAppDocument,
  StartAuthenticatorAppDocument,
  type StartAuthenticatorAppMutation,
} from './documents.ts';

type PendingApp = StartAuthenticatorAppMutation['startAuthenticatorApp']['authenticatorApp'];
type SetUpProps = { onSetUp: (recoveryCodes: readonly string[]) => void };

/** Sets up an authenticator app: shows a QR code and asks for the first code of the app. */
export function SetUpApp({ label, onSetUp }: SetUpProps & { label: string }) {
  const { run, busy, fault } = useGraphMutation(StartAuthenticatorAppDocument);
  const [app, setApp] = useState<PendingApp>();
  const start = async () => setApp((await run({}))?.startAuthenticatorApp.authenticatorApp);
  const close = () => setApp(undefined);
  return (
    <>
      <FaultNote fault={fault} />
      <Button busy={busy} onClick={start}>
        {label}
      </Button>
      <Dialog title={t('security.setUpAuthenticator')} open={app !== undefined} onClose={close}>
        {app && (
          <ConfirmApp
            {...app}
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

function ConfirmApp({ secret, uri, onSetUp }: PendingApp & SetUpProps) {
  const { run, busy, fault } = useGraphMutation(ConfirmAuthenticatorAppDocument, {
    invalidates: ['SecondFactor', 'Session'],
  });
  const isWrong = fault?.reason === 'CODE_WRONG';
  const submit = async (data: FormData) => {
    const result = await run({ code: String(data.get('code')) });
    if (result) onSetUp(result.confirmAuthenticatorApp.recoveryCodes);
  };
  return (
    <Form
      label={t('security.setUpAuthenticator')}
      onSubmit={submit}
      action={{ busy, fault: isWrong ? undefined : fault }}
      submit={t('security.confirm')}
    >
      <p>{t('security.scanCode')}</p>
      <QrImage code={createQrCode(uri)} label={t('security.qrCode')} />
      <p className="quiet">{t('security.cannotScan')}</p>
      <CopyBox
        label={t('security.key')}
        text={secret}
        shown={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      />
      <TextField
        label={t('security.code')}
        name="code"
        hint={t('security.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={10}
        error={isWrong ? fault.message : undefined}
      />
    </Form>
  );
}

export function RemoveApp({ onRemoved }: { onRemoved: () => void }) {
  const { run, busy, fault } = useGraphMutation(RemoveAuthenticatorAppDocument, {
    invalidates: ['SecondFactor'],
  });
  const remove = async () => {
    if (await run({})) onRemoved();
  };
  return (
    <ConfirmButton
      label={t('security.removeApp')}
      title={t('security.removeAppQuestion')}
      question={t('security.removeAppHint')}
      confirmLabel={t('security.remove')}
      onConfirm={remove}
      action={{ busy, fault }}
    />
  );
}
