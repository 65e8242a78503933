import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { offerPathOf } from './address.ts';

/** Signs out and returns to the sponsored link. */
export function OtherAccount({ token, kind = 'quiet' }: { token: string; kind?: ButtonKind }) {
  const { signOut } = useSession();
  const [busy, setBusy] = useState(false);
  const switchAccount = async () => {
    setBusy(true);
    await signOut();
    // signOut() opens the sign-in page; this later navigation replaces that one.
    location.assign(offerPathOf(token));
  };
  return (
    <Button kind={kind} busy={busy} onClick={switchAccount}>
      Use another account
    </Button>
  );
}

/** Shows which account is signed in, and lets the person change it. */
export function SignedInAs({ email, token }: { email: string; token: string }) {
  return (
    <p className="sponsored-row">
      <span>
        Signed in as <strong>{email}</strong>
      </span>
      <OtherAccount token={token} />
    </p>
  );
}
