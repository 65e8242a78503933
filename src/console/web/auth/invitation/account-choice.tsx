import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SignInForm, SignUpForm } from '../credentials.tsx';

type AccountChoiceProps = {
  token: string;
  email: string;
  needsAccount: boolean;
  needsPassword: boolean;
};

/**
 * For people who are not signed in: create an account with the invited address, or sign in to an
 * existing one. Afterwards the browser returns to the invitation.
 */
export function AccountChoice({ token, email, needsAccount, needsPassword }: AccountChoiceProps) {
  const { refetch } = useSession();
  const [isNew, setNew] = useState(needsAccount);
  const next = `/auth?invitation=${encodeURIComponent(token)}`;
  return (
    <>
      <h2 className="invitation-choice">{isNew ? 'Create your account' : 'Sign in'}</h2>
      {needsPassword && !isNew && (
        <Notice>
          An administrator created your account, and it has no password yet. Choose one with “Forgot
          your password?”, then open this link again.
        </Notice>
      )}
      {isNew ? (
        <SignUpForm email={email} lockEmail next={next} onDone={refetch} />
      ) : (
        <SignInForm email={email} next={next} onDone={refetch} />
      )}
      <p>
        {isNew ? 'Do you already have an account?' : 'No account yet?'}{' '}
        <Button kind="quiet" onClick={() => setNew(!isNew)}>
          {isNew ? 'Sign in instead' : 'Create an account'}
        </Button>
      </p>
    </>
  );
}
