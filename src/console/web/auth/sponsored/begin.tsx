import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAction } from '../../graph/use-action.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SignInForm, SignUpForm } from '../credentials.tsx';
import { addressOf } from './address.ts';
import { type OfferFragment, ReserveSponsorshipDocument } from './documents.ts';
import { HeldPlace } from './held-place.tsx';
import { giftOf, OfferCard } from './offer-card.tsx';

type BeginProps = {
  token: string;
  offer: OfferFragment;
  again: () => void;
  onSignedIn: () => void;
};

/**
 * The offer for somebody who is not signed in: with a new account or with the one they have. A
 * place is held from the first try on.
 */
export function Begin({ token, offer, again, onSignedIn }: BeginProps) {
  const [search] = useSearchParams();
  const hasAccount = search.get('account') === 'mine';
  // What was typed goes along from one form to the other.
  const [email, setEmail] = useState('');
  const { run, fault } = useAction(ReserveSponsorshipDocument);
  const hold = async (typed: string | undefined): Promise<boolean> => {
    // Another site names the address only later. A campaign for named addresses then has no
    // reservation: the place is taken at the end.
    if (typed === undefined && offer.hasAllowList) return true;
    if (await run({ token, email: typed ?? null })) return true;
    // The offer itself may be closed by now: the page then shows that.
    again();
    return false;
  };
  const isAddress = fault?.reason === 'EMAIL_NOT_ALLOWED';
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAddress) form.current?.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
  }, [isAddress]);
  const here = addressOf(token);
  const CredentialsForm = hasAccount ? SignInForm : SignUpForm;
  return (
    <>
      <PageHead
        title={giftOf(offer)}
        lead={
          hasAccount
            ? 'Sign in, and your new workspace is one step away.'
            : 'Make an account, and your new workspace is one step away.'
        }
      />
      <OfferCard offer={offer} />
      <nav className="tabs" aria-label="Your account">
        <Link href={`~${here}`} aria-current={hasAccount ? undefined : 'page'}>
          New here
        </Link>
        <Link href={`~${here}&account=mine`} aria-current={hasAccount ? 'page' : undefined}>
          I have an account
        </Link>
      </nav>
      {fault && !isAddress && <FaultNote fault={fault} />}
      <div ref={form}>
        <CredentialsForm
          email={email}
          onEmail={setEmail}
          emailError={isAddress ? `${fault.message}.` : undefined}
          next={here}
          before={hold}
          onDone={onSignedIn}
        />
      </div>
      {offer.heldUntil && (
        <HeldPlace token={token} heldUntil={offer.heldUntil} onReleased={again} />
      )}
    </>
  );
}
