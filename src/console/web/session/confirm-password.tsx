import type { ApiFault } from '../graph/fault.ts';
import { useGraphMutation } from '../graph/use-graph-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { ConfirmPasswordDocument } from './documents.ts';
import { PasswordEntry } from './password-entry.tsx';
import { useSession } from './session.tsx';

type ConfirmPasswordProps = {
  /** The error of an action. The dialog opens when it says that the sign-in is too old. */
  fault: ApiFault | undefined;
  /** Runs the action again. */
  onConfirmed: () => unknown;
  onClose: () => void;
};

/** Whether `ConfirmPassword` handles this error, so that no other component shows it. */
export const isNotRecent = (fault: ApiFault | undefined): boolean =>
  fault?.reason === 'SIGN_IN_NOT_RECENT';

/** Asks for the password before an action that needs a recent sign-in. */
export function ConfirmPassword({ fault, onConfirmed, onClose }: ConfirmPasswordProps) {
  return (
    <Dialog title="Confirm your password" open={isNotRecent(fault)} onClose={onClose}>
      <PasswordForm onConfirmed={onConfirmed} />
    </Dialog>
  );
}

function PasswordForm({ onConfirmed }: Pick<ConfirmPasswordProps, 'onConfirmed'>) {
  const { run, busy, fault } = useGraphMutation(ConfirmPasswordDocument);
  const { signOut } = useSession();
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const submit = async (data: FormData) => {
    if (await run({ password: String(data.get('password')) })) await onConfirmed();
  };
  return (
    <Form label="Confirm your password" onSubmit={submit} fault={isWrong ? undefined : fault}>
      <p>
        Your sign-in is more than ten minutes old. Enter your password to continue. If you have no
        password, sign out and sign in again.
      </p>
      <PasswordEntry error={isWrong ? fault.message : undefined} />
      <FormButtons>
        <Button kind="quiet" onClick={signOut}>
          Sign out
        </Button>
        <Button type="submit" kind="primary" busy={busy}>
          Confirm
        </Button>
      </FormButtons>
    </Form>
  );
}
