import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { addressOf } from './address.ts';

/** Signs out and comes back to the link. */
export function OtherAccount({ token, kind = 'quiet' }: { token: string; kind?: ButtonKind }) {
  const { signOut } = useSession();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    await signOut();
    // Signing out leads to the plain page; of two ways the later one is gone.
    location.assign(addressOf(token));
  };
  return (
    <Button kind={kind} busy={busy} onClick={leave}>
      Use another account
    </Button>
  );
}

/** Whose account it is, in case it is the wrong one. */
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
