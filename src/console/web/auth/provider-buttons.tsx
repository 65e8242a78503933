import { useState } from 'react';
import { useAuthCall } from '../session/auth-api.ts';
import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';
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
      <p className="auth-or">{t('auth.or')}</p>
      <FaultNote fault={fault} />
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leavingTo === id} onClick={() => continueWith(id)}>
          {t('auth.continueWith', { name })}
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

const messages: Readonly<Record<string, PlainKey>> = {
  access_denied: 'auth.providerCancelled',
  account_not_linked: 'auth.providerNotLinked',
  address_not_verified: 'auth.providerNotVerified',
  email_is_missing: 'auth.providerNoEmail',
  email_not_found: 'auth.providerNoEmail',
  state_mismatch: 'auth.providerTooLate',
  sign_up_closed: 'auth.invitationNeeded',
};

/** The message for the error code that another site added to the return address. */
function providerFault(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error');
  if (error === null) return undefined;
  return t((Object.hasOwn(messages, error) && messages[error]) || 'auth.providerFailed');
}
