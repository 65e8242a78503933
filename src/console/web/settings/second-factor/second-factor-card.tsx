import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { useSession } from '../../session/session.tsx';
import { richText, t } from '../../texts/text.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { ConfirmButton, Dialog, useStayOpen } from '../../ui/dialog.tsx';
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
        ? t('security.asksForSecondFactor')
        : t('security.secondFactorSetUp'),
    );
    answer.refetch();
    // An organization that requires a second factor is accessible now.
    session.refetch();
  };
  return (
    <Card title={t('security.secondFactor')}>
      <Loaded answer={answer} lines={3}>
        {({ secondFactor: { authenticatorAppSince, passkeys, recoveryCodesLeft } }) => (
          <>
            <div className="settings-factor">
              <h3>{t('security.authenticatorApp')}</h3>
              {authenticatorAppSince === null ? (
                <p>{t('security.authenticatorAppHint')}</p>
              ) : (
                <p>
                  <Badge tone="good">{t('security.isSetUp')}</Badge> {t('security.since')}{' '}
                  <Time at={authenticatorAppSince} />
                </p>
              )}
              <div className="row">
                <SetUpApp
                  label={
                    authenticatorAppSince === null
                      ? t('security.setUpApp')
                      : t('security.setUpAnotherApp')
                  }
                  onSetUp={onSetUp}
                />
                {authenticatorAppSince !== null && <RemoveApp onRemoved={answer.refetch} />}
              </div>
            </div>
            <Passkeys passkeys={passkeys} onSetUp={onSetUp} onRemoved={answer.refetch} />
            {(authenticatorAppSince !== null || passkeys.length > 0) && (
              <div className="settings-factor">
                <h3>{t('security.recoveryCodes')}</h3>
                <p>{t('security.codesLeft', { recoveryCodesLeft })}</p>
                <RenewCodes onRenewed={setCodes} />
              </div>
            )}
          </>
        )}
      </Loaded>
      <Dialog
        title={t('security.yourRecoveryCodes')}
        open={codes.length > 0}
        onClose={() => setCodes([])}
      >
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
      label={t('security.createNewCodes')}
      title={t('security.createNewCodesQuestion')}
      question={t('security.oldCodesStop')}
      confirmLabel={t('security.createNewCodes')}
      onConfirm={renew}
      action={{ busy, fault }}
    />
  );
}

/** Shows new recovery codes once, right after they were created. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  useStayOpen();
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>{richText('security.keepCodes', { b: (text) => <strong>{text}</strong> })}</p>
      <ul className="recovery-codes plain-list" aria-label={t('security.recoveryCodes')}>
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
          {t('security.download')}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {t('ui.done')}
        </Button>
      </FormButtons>
    </>
  );
}
