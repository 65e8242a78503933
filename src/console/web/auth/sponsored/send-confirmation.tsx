import { useState } from 'react';
import { useAuthCall } from '../../session/auth-api.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { offerPathOf } from './address.ts';

/** Sends an e-mail whose link confirms the signed-in person's address and returns to the offer. */
export function SendConfirmation({ email, token }: { email: string; token: string }) {
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const [isSent, setSent] = useState(false);
  const send = async () =>
    setSent((await run({ email, callbackPath: offerPathOf(token) })) !== undefined);
  return (
    <>
      <Button kind="primary" busy={busy} onClick={send}>
        {isSent ? 'Send again' : 'Send confirmation e-mail'}
      </Button>
      {fault && <FaultNote fault={fault} />}
      <p role="status">
        {isSent && `We sent an e-mail to ${email}. Its link returns to this offer.`}
      </p>
    </>
  );
}
