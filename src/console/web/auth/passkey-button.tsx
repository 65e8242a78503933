import { useState } from 'react';
import { useAuthCall } from '../session/auth-api.ts';
import { requestPasskey, supportsPasskeys } from '../session/passkey-browser.ts';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote, Notice } from '../ui/status.tsx';

type PasskeyButtonProps = {
  onDone: () => void;
  kind?: 'plain' | 'primary';
  /** Runs before the sign-in starts; false cancels it. */
  before?: (() => Promise<boolean>) | undefined;
};

/**
 * Signs in with a passkey, in place of the password or as the second factor. The button is hidden
 * when the browser does not support passkeys.
 */
export function PasskeyButton({ onDone, kind = 'plain', before }: PasskeyButtonProps) {
  const options = useAuthCall('passkey/options');
  const signIn = useAuthCall('sign-in/passkey');
  const [isCancelled, setCancelled] = useState(false);
  if (!supportsPasskeys()) return null;
  const fault = options.fault ?? signIn.fault;
  const signInWithPasskey = async () => {
    setCancelled(false);
    const mayContinue = (await before?.()) ?? true;
    const passkeyOptions = mayContinue ? await options.run({}) : undefined;
    if (!passkeyOptions) return;
    const passkey = await requestPasskey(passkeyOptions);
    if (passkey === undefined) setCancelled(true);
    else if (await signIn.run({ passkey })) onDone();
  };
  return (
    <div className="auth-passkey">
      <FaultNote fault={fault} />
      {isCancelled && <Notice>{t('auth.noPasskey')}</Notice>}
      <Button kind={kind} busy={options.busy || signIn.busy} onClick={signInWithPasskey}>
        {t('auth.signInWithPasskey')}
      </Button>
    </div>
  );
}
