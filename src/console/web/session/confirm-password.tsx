import type { Fault } from '../graph/fault.ts';
import { useAction } from '../graph/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { ConfirmPasswordDocument } from './documents.ts';
import { PasswordEntry } from './password-entry.tsx';
import { useSession } from './session.tsx';

type ConfirmPasswordProps = {
  /** The refusal of an action; the dialog opens where it says that the sign-in is too old. */
  fault: Fault | undefined;
  /** Runs the action again. */
  onConfirmed: () => unknown;
  onClose: () => void;
};

/** Whether a fault is shown by `ConfirmPassword`, and so nowhere else. */
export const isNotRecent = (fault: Fault | undefined): boolean =>
  fault?.reason === 'SIGN_IN_NOT_RECENT';

/** Asks for the password before an action that needs a recent sign-in. */
export function ConfirmPassword({ fault, onConfirmed, onClose }: ConfirmPasswordProps) {
  return (
    <Dialog title="Confirm that it is you" open={isNotRecent(fault)} onClose={onClose}>
      <PasswordForm onConfirmed={onConfirmed} />
    </Dialog>
  );
}

function PasswordForm({ onConfirmed }: Pick<ConfirmPasswordProps, 'onConfirmed'>) {
  const { run, busy, fault } = useAction(ConfirmPasswordDocument);
  const { signOut } = useSession();
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const submit = async (data: FormData) => {
    if (await run({ password: String(data.get('password')) })) await onConfirmed();
  };
  return (
    <Form label="Confirm that it is you" onSubmit={submit} fault={isWrong ? undefined : fault}>
      <p>
        You signed in some time ago. Type your password to go on. Without a password, sign out and
        sign in again.
      </p>
      <PasswordEntry error={isWrong ? fault.message : undefined} />
      <FormButtons>
        <Button kind="quiet" onClick={signOut}>
          Sign out
        </Button>
        <Button type="submit" kind="primary" busy={busy}>
          Go on
        </Button>
      </FormButtons>
    </Form>
  );
}
