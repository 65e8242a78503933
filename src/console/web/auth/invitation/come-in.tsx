import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SignInForm, SignUpForm } from '../credentials.tsx';

type ComeInProps = { token: string; email: string; needsAccount: boolean; needsPassword: boolean };

/**
 * For who is not signed in: a new account with the invited address, or the one there is. The
 * invitation comes back by itself afterwards.
 */
export function ComeIn({ token, email, needsAccount, needsPassword }: ComeInProps) {
  const { again } = useSession();
  const [isNew, setNew] = useState(needsAccount);
  const next = `/auth?invitation=${encodeURIComponent(token)}`;
  return (
    <>
      <h2 className="invitation-way">{isNew ? 'Make your account' : 'Sign in'}</h2>
      {needsPassword && !isNew && (
        <Notice>
          Your account was made for you and has no password yet. Choose one by “Forgot your
          password?”, then come back by this link.
        </Notice>
      )}
      {isNew ? (
        <SignUpForm email={email} lockEmail next={next} onDone={again} />
      ) : (
        <SignInForm email={email} next={next} onDone={again} />
      )}
      <p>
        {isNew ? 'You have an account already?' : 'You have no account yet?'}{' '}
        <Button kind="quiet" onClick={() => setNew(!isNew)}>
          {isNew ? 'Sign in instead' : 'Make an account'}
        </Button>
      </p>
    </>
  );
}
