import { useState } from 'react';
import { useAuthCall } from '../session/auth-api.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { Notice } from '../ui/notice.tsx';
import { providerFault } from './provider-faults.ts';

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
      {fault && <FaultNote fault={fault} />}
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
