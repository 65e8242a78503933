import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { OfferCard, offerTitle } from '../../ui/offer-card.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { SignInForm, SignUpForm } from '../credentials.tsx';
import { type OfferFragment, ReserveSponsorshipDocument } from './documents.ts';
import { ReservationNote } from './reservation-note.tsx';
import { offerPathOf } from './welcome.tsx';

type BeginProps = {
  token: string;
  offer: OfferFragment;
  refetch: () => void;
  onSignedIn: () => void;
};

/**
 * The offer for a person who is not signed in: they create an account or sign in. The first attempt
 * reserves a redemption of the campaign.
 */
export function Begin({ token, offer, refetch, onSignedIn }: BeginProps) {
  const [search] = useSearchParams();
  const hasAccount = search.get('account') === 'mine';
  // The typed address is kept when the person changes between the two forms.
  const [email, setEmail] = useState('');
  const { run, fault } = useGraphMutation(ReserveSponsorshipDocument);
  const reserve = async (address: string | undefined): Promise<boolean> => {
    // Another site provides the address only after sign-in. A campaign with an allow list cannot
    // reserve before that, so its capacity is checked at redemption.
    if (address === undefined && offer.hasAllowList) return true;
    if (await run({ token, email: address ?? null })) return true;
    // The offer may have closed meanwhile; fetching it again shows that.
    refetch();
    return false;
  };
  const isAddressRefused = fault?.reason === 'EMAIL_NOT_ALLOWED';
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAddressRefused)
      form.current?.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
  }, [isAddressRefused]);
  const offerPath = offerPathOf(token);
  const CredentialsForm = hasAccount ? SignInForm : SignUpForm;
  return (
    <>
      <PageHead
        title={offerTitle(offer)}
        lead={hasAccount ? t('sponsored.signInFirst') : t('sponsored.createAccountFirst')}
      />
      <OfferCard offer={offer} brandedBy={{ name: offer.sponsorName, branding: offer.branding }} />
      <nav className="tabs" aria-label={t('sponsored.account')}>
        <Link href={`~${offerPath}`} aria-current={hasAccount ? undefined : 'page'}>
          {t('sponsored.newAccount')}
        </Link>
        <Link href={`~${offerPath}&account=mine`} aria-current={hasAccount ? 'page' : undefined}>
          {t('sponsored.existingAccount')}
        </Link>
      </nav>
      {fault && !isAddressRefused && <FaultNote fault={fault} />}
      <div ref={form}>
        <CredentialsForm
          email={email}
          onEmail={setEmail}
          emailError={isAddressRefused ? `${fault.message}.` : undefined}
          next={offerPath}
          before={reserve}
          onDone={onSignedIn}
        />
      </div>
      {offer.heldUntil && (
        <ReservationNote token={token} heldUntil={offer.heldUntil} onReleased={refetch} />
      )}
    </>
  );
}
