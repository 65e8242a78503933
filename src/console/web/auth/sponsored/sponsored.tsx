import { useCallback, useEffect, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { useSession } from '../../session/session.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { OfferCard, offerTitle } from '../../ui/offer-card.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote, Loading } from '../../ui/status.tsx';
import { Begin } from './begin.tsx';
import { Confirm } from './confirm.tsx';
import {
  type OfferFragment,
  OpenSponsoredOfferDocument,
  SponsoredOfferDocument,
  type WorkspaceFragment,
} from './documents.ts';
import { isRefusal, Refused } from './refused.tsx';
import { AlreadyRedeemed, Welcome } from './welcome.tsx';
import './sponsored.css';
import { t } from '../../texts/text.ts';

/**
 * The page behind a sponsored link. The API decides which step it shows, not the state of the page,
 * so a reload, going back, and returning from an e-mail all show the same step.
 */
export function Sponsored({ token }: { token: string }) {
  const { viewer, refetch: refetchSession } = useSession();
  const { offer, fault, loading, refetch } = useOffer(token);
  const [workspace, setWorkspace] = useState<WorkspaceFragment>();
  const onSignedIn = useCallback(() => {
    refetchSession();
    refetch();
  }, [refetchSession, refetch]);

  if (workspace) return <Welcome workspace={workspace} />;
  if (fault?.reason === 'ALREADY_REDEEMED') return <AlreadyRedeemed token={token} />;
  if (fault && isRefusal(fault))
    return <Refused fault={fault} token={token} refetch={refetch} loading={loading} />;
  if (fault) return <FaultNote fault={fault} onRetry={refetch} />;
  if (!offer) return <Loading lines={6} />;
  if (offer.needsPassword) return <LinkPassword token={token} offer={offer} />;
  const step = { token, offer, refetch };
  return viewer ? (
    <Confirm {...step} viewer={viewer} onRedeemed={setWorkspace} />
  ) : (
    <Begin {...step} onSignedIn={onSignedIn} />
  );
}

/**
 * The offer of a link with a password. After the correct password the offer is fetched again, and
 * the page continues.
 */
function LinkPassword({ token, offer }: { token: string; offer: OfferFragment }) {
  const { run, busy, fault } = useGraphMutation(OpenSponsoredOfferDocument);
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  return (
    <>
      <PageHead title={offerTitle(offer)} lead={t('sponsored.passwordNeeded')} />
      <OfferCard offer={offer} brandedBy={{ name: offer.sponsorName, branding: offer.branding }} />
      <Form
        label={t('sponsored.openOffer')}
        action={{ busy, fault: isWrong ? undefined : fault }}
        onSubmit={(data) => run({ token, password: String(data.get('password')) })}
        submit={t('sponsored.continue')}
      >
        <PasswordField
          label={t('sponsored.linkPassword')}
          name="password"
          autoComplete="off"
          required
          error={isWrong ? t('sponsored.checkPassword', { message: fault.message }) : undefined}
        />
      </Form>
    </>
  );
}

type OfferState = {
  offer: OfferFragment | undefined;
  fault: ApiFault | undefined;
  loading: boolean;
  refetch: () => void;
};

/**
 * Fetches the offer of a link. An error stays visible while the offer is fetched again, so that its
 * page does not flicker.
 */
function useOffer(token: string): OfferState {
  const { data, fault, loading, refetch } = useGraphQuery(SponsoredOfferDocument, { token });
  const [lastFault, setLastFault] = useState<ApiFault>();
  useEffect(() => {
    if (!loading) setLastFault((current) => (isSame(current, fault) ? current : fault));
  }, [loading, fault]);
  return { offer: data?.sponsoredOffer, fault: loading ? lastFault : fault, loading, refetch };
}

const isSame = (left: ApiFault | undefined, right: ApiFault | undefined) =>
  left?.code === right?.code && left?.reason === right?.reason;
