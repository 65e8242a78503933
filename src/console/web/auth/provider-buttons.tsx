import { useState } from 'react';
import { useAuthCall } from '../session/ask-auth.ts';
import { Button } from '../ui/button.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { Notice } from '../ui/notice.tsx';
import { providerFault } from './provider-faults.ts';

type ProviderButtonsProps = {
  providers: readonly { id: string; name: string }[];
  next: string;
  /** Awaited before anybody is led away; false stops. */
  before?: (() => Promise<boolean>) | undefined;
};

/** The other sites where people can sign in. Each leads away, and back to `next`. */
export function ProviderButtons({ providers, next, before }: ProviderButtonsProps) {
  const { run, fault } = useAuthCall('sign-in/provider');
  const [leavingTo, setLeavingTo] = useState<string>();
  if (providers.length === 0) return null;
  const leave = async (provider: string) => {
    setLeavingTo(provider);
    const goesOn = (await before?.()) ?? true;
    const told = goesOn ? await run({ provider, callbackPath: next }) : undefined;
    if (typeof told?.['url'] === 'string') location.assign(told['url']);
    else setLeavingTo(undefined);
  };
  return (
    <div className="auth-providers">
      <p className="auth-or">or</p>
      {fault && <FaultNote fault={fault} />}
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leavingTo === id} onClick={() => leave(id)}>
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}

/**
 * Why somebody came back from another site without being signed in, until they have tried something
 * else.
 */
export function ProviderFault({ isOver }: { isOver: boolean }) {
  const words = providerFault(location.search);
  return words !== undefined && !isOver ? <Notice tone="bad">{words}</Notice> : null;
}
