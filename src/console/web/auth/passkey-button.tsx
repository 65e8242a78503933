import { useState } from 'react';
import { useAuthCall } from '../session/ask-auth.ts';
import { knowsPasskeys, requestPasskey } from '../session/passkey-browser.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { Notice } from '../ui/notice.tsx';

type PasskeyButtonProps = {
  onDone: () => void;
  kind?: 'plain' | 'primary';
  /** Awaited before anything is sent; false stops. */
  before?: (() => Promise<boolean>) | undefined;
};

/**
 * Signs in with a passkey, instead of the password or as its second step. Absent where the browser
 * knows no passkeys.
 */
export function PasskeyButton({ onDone, kind = 'plain', before }: PasskeyButtonProps) {
  const options = useAuthCall('passkey/options');
  const signIn = useAuthCall('sign-in/passkey');
  const [isCancelled, setCancelled] = useState(false);
  if (!knowsPasskeys()) return null;
  const fault = options.fault ?? signIn.fault;
  const press = async () => {
    setCancelled(false);
    const goesOn = (await before?.()) ?? true;
    const wanted = goesOn ? await options.run({}) : undefined;
    if (!wanted) return;
    const passkey = await requestPasskey(wanted);
    if (passkey === undefined) setCancelled(true);
    else if (await signIn.run({ passkey })) onDone();
  };
  return (
    <div className="auth-passkey">
      {fault && <FaultNote fault={fault} />}
      {isCancelled && (
        <Notice>The browser got no passkey. Try again, or sign in another way.</Notice>
      )}
      <Button kind={kind} busy={options.busy || signIn.busy} onClick={press}>
        Sign in with a passkey
      </Button>
    </div>
  );
}
