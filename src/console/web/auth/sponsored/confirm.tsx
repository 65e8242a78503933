import { useGraphMutation } from '../../graph/use-graph.ts';
import type { Viewer } from '../../session/session.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page.tsx';
import {
  type OfferFragment,
  RedeemSponsorshipDocument,
  type WorkspaceFragment,
} from './documents.ts';
import { OfferCard, offerTitle } from './offer-card.tsx';
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
      <PageHead
        title={offerTitle(offer)}
        lead="Last step: name your new workspace. You will be its administrator."
      />
      <OfferCard offer={offer} />
      <Form
        label="New workspace"
        action={{ busy, fault }}
        onSubmit={redeem}
        submit="Create workspace"
      >
        <TextField
          label="Name of the workspace"
          name="organizationName"
          defaultValue={person.firstName && `${person.firstName.slice(0, 60)}’s workspace`}
          hint="For example your company or team. You can change it later."
          maxLength={80}
          autoComplete="organization"
          required
        />
      </Form>
      <p className="sponsored-row spread">
        <span>
          Signed in as <strong>{person.email}</strong>
        </span>
        <OtherAccount token={token} />
      </p>
      {offer.heldUntil && (
        <ReservationNote token={token} heldUntil={offer.heldUntil} onReleased={refetch} />
      )}
    </>
  );
}
