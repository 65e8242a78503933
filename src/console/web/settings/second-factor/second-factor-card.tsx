import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { useSession } from '../../session/session.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Badge, Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RemoveApp, SetUpApp } from './authenticator-app.tsx';
import { RenewRecoveryCodesDocument, SecondFactorDocument } from './documents.ts';
import { Passkeys } from './passkeys.tsx';

/** Sets up and removes the second factor of a person. */
export function SecondFactorCard() {
  const answer = useGraphQuery(SecondFactorDocument, {}, { typenames: ['SecondFactor'] });
  const [codes, setCodes] = useState<readonly string[]>([]);
  const toast = useToast();
  const session = useSession();
  const onSetUp = (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes);
    toast.show(
      recoveryCodes.length > 0
        ? 'Your sign-in now asks for a second factor'
        : 'Your second factor is set up',
    );
    answer.refetch();
    // An organization that requires a second factor is accessible now.
    session.refetch();
  };
  return (
    <Card title="Second factor">
      <Loaded answer={answer} lines={3}>
        {({ secondFactor: { authenticatorAppSince, passkeys, recoveryCodesLeft } }) => (
          <>
            <div className="settings-factor">
              <h3>Authenticator app</h3>
              {authenticatorAppSince === null ? (
                <p>
                  An app on your phone shows a code that you enter after your password. Without the
                  code nobody can sign in as you.
                </p>
              ) : (
                <p>
                  <Badge tone="good">Set up</Badge> since <Time at={authenticatorAppSince} />
                </p>
              )}
              <div className="row">
                <SetUpApp
                  label={authenticatorAppSince === null ? 'Set up app' : 'Set up another app'}
                  onSetUp={onSetUp}
                />
                {authenticatorAppSince !== null && <RemoveApp onRemoved={answer.refetch} />}
              </div>
            </div>
            <Passkeys passkeys={passkeys} onSetUp={onSetUp} onRemoved={answer.refetch} />
            {(authenticatorAppSince !== null || passkeys.length > 0) && (
              <div className="settings-factor">
                <h3>Recovery codes</h3>
                <p>
                  {recoveryCodesLeft} left. Each one signs you in once when you do not have your
                  device.
                </p>
                <RenewCodes onRenewed={setCodes} />
              </div>
            )}
          </>
        )}
      </Loaded>
      <Dialog title="Your recovery codes" open={codes.length > 0} onClose={() => setCodes([])}>
        <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </Dialog>
    </Card>
  );
}

function RenewCodes({ onRenewed }: { onRenewed: (codes: readonly string[]) => void }) {
  const { run, busy, fault } = useGraphMutation(RenewRecoveryCodesDocument, {
    invalidates: ['SecondFactor'],
  });
  const renew = async () => {
    const result = await run({});
    if (result) onRenewed(result.renewRecoveryCodes.recoveryCodes);
  };
  return (
    <ConfirmButton
      kind="plain"
      label="Create new codes"
      title="Create new recovery codes?"
      question="Your old recovery codes stop working."
      confirmLabel="Create new codes"
      onConfirm={renew}
      action={{ busy, fault }}
    />
  );
}

/** Shows new recovery codes once, right after they were created. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>
        <strong>Keep these recovery codes in a safe place.</strong> Each one signs you in once when
        you do not have your device. They are not shown again.
      </p>
      <ul className="recovery-codes plain-list" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <FormButtons>
        <CopyButton text={text} />
        <Button
          icon="download"
          onClick={() => saveFile('atrium-recovery-codes.txt', 'text/plain', [text])}
        >
          Download
        </Button>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </FormButtons>
    </>
  );
}
