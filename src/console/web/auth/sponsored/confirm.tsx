import { cutText } from '../../../../platform/cut-text.ts';
import { useGraphMutation } from '../../graph/use-graph.ts';
import type { Viewer } from '../../session/session.tsx';
import { richText, t } from '../../texts/text.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { OfferCard, offerTitle } from '../../ui/offer-card.tsx';
import { PageHead } from '../../ui/page.tsx';
import {
  type OfferFragment,
  RedeemSponsorshipDocument,
  type WorkspaceFragment,
} from './documents.ts';
import { ReservationNote } from './reservation-note.tsx';
import { OtherAccount } from './welcome.tsx';

type ConfirmProps = {
  token: string;
  offer: OfferFragment;
  viewer: Viewer;
  refetch: () => void;
  onRedeemed: (workspace: WorkspaceFragment) => void;
};

/** The last step, for a person who is signed in: naming the new workspace. */
export function Confirm({ token, offer, viewer: { person }, refetch, onRedeemed }: ConfirmProps) {
  const { run, busy, fault } = useGraphMutation(RedeemSponsorshipDocument, {
    invalidates: ['Viewer', 'Membership'],
  });
  const redeem = async (data: FormData) => {
    const result = await run({ token, organizationName: String(data.get('organizationName')) });
    if (result) onRedeemed(result.redeemSponsorship.workspace);
    // The offer may have closed or been used up meanwhile; fetching it again shows that.
    else refetch();
  };
  return (
    <>
      <PageHead title={offerTitle(offer)} lead={t('sponsored.lastStep')} />
      <OfferCard offer={offer} brandedBy={{ name: offer.sponsorName, branding: offer.branding }} />
      <Form
        label={t('sponsored.newWorkspace')}
        action={{ busy, fault }}
        onSubmit={redeem}
        submit={t('sponsored.createWorkspace')}
      >
        <TextField
          label={t('sponsored.workspaceName')}
          name="organizationName"
          defaultValue={
            person.firstName && t('sponsored.workspaceOf', { name: cutText(person.firstName, 60) })
          }
          hint={t('sponsored.workspaceNameHint')}
          maxLength={80}
          autoComplete="organization"
          required
        />
      </Form>
      <p className="sponsored-row spread">
        <span>
          {richText('sponsored.signedInAs', {
            email: person.email,
            b: (text) => <strong>{text}</strong>,
          })}
        </span>
        <OtherAccount token={token} />
      </p>
      {offer.heldUntil && (
        <ReservationNote token={token} heldUntil={offer.heldUntil} onReleased={refetch} />
      )}
    </>
  );
}
