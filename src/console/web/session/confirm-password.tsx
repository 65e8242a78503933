import { type ReactNode, useCallback, useState } from 'react';
import { PasswordConfirmation, useGraphMutation } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { ConfirmPasswordDocument } from './documents.ts';
import { PasswordEntry } from './password-entry.tsx';
import { useSession } from './session.tsx';

/** Asks for the password when a mutation of its children needs a recent sign-in. */
export function ConfirmPassword({ children }: { children: ReactNode }) {
  const [resolve, setResolve] = useState<(isConfirmed: boolean) => void>();
  const confirm = useCallback(() => new Promise<boolean>((settle) => setResolve(() => settle)), []);
  const finish = (isConfirmed: boolean) => {
    resolve?.(isConfirmed);
    setResolve(undefined);
  };
  return (
    <PasswordConfirmation value={confirm}>
      {children}
      <Dialog
        title={t('session.confirmYourPassword')}
        open={resolve !== undefined}
        onClose={() => finish(false)}
      >
        <PasswordForm onConfirmed={() => finish(true)} />
      </Dialog>
    </PasswordConfirmation>
  );
}

function PasswordForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { run, busy, fault } = useGraphMutation(ConfirmPasswordDocument);
  const { signOut } = useSession();
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const submit = async (data: FormData) => {
    if (await run({ password: String(data.get('password')) })) onConfirmed();
  };
  return (
    <Form
      label={t('session.confirmYourPassword')}
      onSubmit={submit}
      action={{ busy, fault: isWrong ? undefined : fault }}
      submit={t('session.confirm')}
      buttons={
        <Button kind="quiet" onClick={signOut}>
          {t('session.signOut')}
        </Button>
      }
    >
      <p>{t('session.signInTooOld')}</p>
      <PasswordEntry error={isWrong ? fault.message : undefined} />
    </Form>
  );
}
