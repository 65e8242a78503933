import { useState } from 'react';
import { useAuthCall } from '../../session/ask-auth.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { addressOf } from './address.ts';

/**
 * Sends the mail whose link confirms the address of whoever is signed in, and leads back to the
 * offer.
 */
export function SendConfirmation({ email, token }: { email: string; token: string }) {
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const [isSent, setSent] = useState(false);
  const send = async () =>
    setSent((await run({ email, callbackPath: addressOf(token) })) !== undefined);
  return (
    <>
      <Button kind="primary" busy={busy} onClick={send}>
        {isSent ? 'Send the mail again' : 'Send the mail'}
      </Button>
      {fault && <FaultNote fault={fault} />}
      <p role="status">
        {isSent && `We have sent a mail to ${email}. Its link leads back to this offer.`}
      </p>
    </>
  );
}
