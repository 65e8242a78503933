import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { createQrCode } from '../../ui/qr.ts';
import { QrImage } from '../../ui/qr-image.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  ConfirmAuthenticatorAppDocument,
  StartAuthenticatorAppDocument,
  type StartAuthenticatorAppMutation,
} from './documents.ts';

type PendingApp = StartAuthenticatorAppMutation['startAuthenticatorApp'];
type SetUpAppProps = { label: string; onSetUp: (recoveryCodes: readonly string[]) => void };

/** Sets up an authenticator app: shows a QR code and asks for the first code of the app. */
export function SetUpApp({ label, onSetUp }: SetUpAppProps) {
  const { run, busy, fault, clear } = useGraphMutation(StartAuthenticatorAppDocument);
  const [app, setApp] = useState<PendingApp>();
  const start = async () => setApp((await run({}))?.startAuthenticatorApp);
  const close = () => setApp(undefined);
  return (
    <>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <Button busy={busy} onClick={start}>
        {label}
      </Button>
      <ConfirmPassword fault={fault} onConfirmed={start} onClose={clear} />
      <Dialog title="Set up an authenticator app" open={app !== undefined} onClose={close}>
        {app && (
          <ConfirmApp
            app={app}
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

function ConfirmApp({
  app: { secret, uri },
  onSetUp,
}: {
  app: PendingApp;
  onSetUp: SetUpAppProps['onSetUp'];
}) {
  const { run, busy, fault } = useGraphMutation(ConfirmAuthenticatorAppDocument, {
    invalidates: ['SecondFactor', 'Session'],
  });
  const isWrong = fault?.reason === 'CODE_WRONG';
  const submit = async (data: FormData) => {
    const result = await run({ code: String(data.get('code')) });
    if (result) onSetUp(result.confirmAuthenticatorApp);
  };
  return (
    <Form label="Set up an authenticator app" onSubmit={submit} fault={isWrong ? undefined : fault}>
      <p>
        Scan this code with an authenticator app on your phone, such as Google Authenticator, Aegis
        or 1Password.
      </p>
      <QrImage code={createQrCode(uri)} label="QR code for the authenticator app" />
      <p className="quiet">If you cannot scan it, enter this key in the app:</p>
      <div className="secret">
        <output aria-label="Key">
          <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </output>
        <CopyButton text={secret} />
      </div>
      <TextField
        label="Code"
        name="code"
        hint="The six digits that the app shows."
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={10}
        error={isWrong ? fault.message : undefined}
      />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Confirm
        </Button>
      </FormButtons>
    </Form>
  );
}
