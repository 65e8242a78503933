import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  RemoveAuthenticatorAppDocument,
  RenewRecoveryCodesDocument,
  SecondFactorDocument,
} from './documents.ts';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { SetUpApp } from './set-up-app.tsx';

/** Sets up and removes the second factor of a person. */
export function SecondFactorCard() {
  const answer = useGraphQuery(SecondFactorDocument, {}, { typenames: ['SecondFactor'] });
  const [codes, setCodes] = useState<readonly string[]>([]);
  const toast = useToast();
  const session = useSession();
  const onSetUp = (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes);
    toast(
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
              <div className="settings-factor-buttons">
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
        <RecoveryCodeList codes={codes} onDone={() => setCodes([])} />
      </Dialog>
    </Card>
  );
}

function RemoveApp({ onRemoved }: { onRemoved: () => void }) {
  const { run, fault, clear } = useGraphMutation(RemoveAuthenticatorAppDocument, {
    invalidates: ['SecondFactor'],
  });
  const remove = async () => {
    if (await run({})) onRemoved();
  };
  return (
    <>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <ConfirmButton
        label="Remove app"
        title="Remove the authenticator app?"
        question="Codes from the app stop working. Without another second factor your password alone is enough to sign in."
        confirmLabel="Remove"
        onConfirm={remove}
      />
      <ConfirmPassword fault={fault} onConfirmed={remove} onClose={clear} />
    </>
  );
}

function RenewCodes({ onRenewed }: { onRenewed: (codes: readonly string[]) => void }) {
  const { run, fault, clear } = useGraphMutation(RenewRecoveryCodesDocument, {
    invalidates: ['SecondFactor'],
  });
  const renew = async () => {
    const result = await run({});
    if (result) onRenewed(result.renewRecoveryCodes);
  };
  return (
    <>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <ConfirmButton
        kind="plain"
        label="Create new codes"
        title="Create new recovery codes?"
        question="Your old recovery codes stop working."
        confirmLabel="Create new codes"
        onConfirm={renew}
      />
      <ConfirmPassword fault={fault} onConfirmed={renew} onClose={clear} />
    </>
  );
}
