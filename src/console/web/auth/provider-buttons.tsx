import { useState } from 'react';
import { useAuthCall } from '../session/auth-api.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote, Notice } from '../ui/status.tsx';

type ProviderButtonsProps = {
  providers: readonly { id: string; name: string }[];
  next: string;
  /** Runs before the browser leaves the page; false cancels it. */
  before?: (() => Promise<boolean>) | undefined;
};

/** Buttons to sign in with other sites, which return to `next`. */
export function ProviderButtons({ providers, next, before }: ProviderButtonsProps) {
  const { run, fault } = useAuthCall('sign-in/provider');
  const [leavingTo, setLeavingTo] = useState<string>();
  if (providers.length === 0) return null;
  const continueWith = async (provider: string) => {
    setLeavingTo(provider);
    const mayContinue = (await before?.()) ?? true;
    const result = mayContinue ? await run({ provider, callbackPath: next }) : undefined;
    if (typeof result?.['url'] === 'string') location.assign(result['url']);
    else setLeavingTo(undefined);
  };
  return (
    <div className="auth-providers">
      <p className="auth-or">or</p>
      <FaultNote fault={fault} />
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leavingTo === id} onClick={() => continueWith(id)}>
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}

/**
 * Why the sign-in with another site failed. The message is hidden as soon as the person tries
 * another way.
 */
export function ProviderFault({ isOver }: { isOver: boolean }) {
  const message = providerFault(location.search);
  return message !== undefined && !isOver ? <Notice tone="bad">{message}</Notice> : null;
}

const messages: Readonly<Record<string, string>> = {
  access_denied: 'You cancelled the sign-in.',
  account_not_linked:
    'An account with this e-mail address already exists, and it is not confirmed that both are yours. Sign in with your password, or request a new one by e-mail. After that you can also sign in this way.',
  address_not_verified:
    'The other site has not confirmed your e-mail address, so you cannot sign in here with it. Confirm the address there, or sign in another way.',
  email_is_missing:
    'The other site did not share your e-mail address. Allow it there, or sign in another way.',
  email_not_found:
    'The other site did not share your e-mail address. Allow it there, or sign in another way.',
  state_mismatch: 'The sign-in took too long, or was started in another browser. Try again.',
  sign_up_closed:
    'You need an invitation to create an account here. Ask your administrator for one.',
};

/** The message for the error code that another site added to the return address. */
function providerFault(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error');
  if (error === null) return undefined;
  return (
    (Object.hasOwn(messages, error) && messages[error]) ||
    'The sign-in with the other site failed. Try again.'
  );
}
