import { useAction } from '../../graph/use-action.ts';
import type { Viewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  type OfferFragment,
  RedeemSponsorshipDocument,
  type WorkspaceFragment,
} from './documents.ts';
import { HeldPlace } from './held-place.tsx';
import { giftOf, OfferCard } from './offer-card.tsx';
import { SignedInAs } from './other-account.tsx';

type ConfirmProps = {
  token: string;
  offer: OfferFragment;
  viewer: Viewer;
  again: () => void;
  onMade: (workspace: WorkspaceFragment) => void;
};

/** The last step of somebody who is signed in: the name of the new workspace. */
export function Confirm({ token, offer, viewer: { person }, again, onMade }: ConfirmProps) {
  const { run, busy, fault } = useAction(RedeemSponsorshipDocument, {
    touches: ['Viewer', 'Membership'],
  });
  const redeem = async (data: FormData) => {
    const done = await run({ token, organizationName: String(data.get('organizationName')) });
    if (done) onMade(done.redeemSponsorship);
    // It may have been closed or used up meanwhile: the page then shows that.
    else again();
  };
  return (
    <>
      <PageHead
        title={giftOf(offer)}
        lead="One last step: give your new workspace a name. You will be its administrator."
      />
      <OfferCard offer={offer} />
      <Form label="New workspace" fault={fault} onSubmit={redeem}>
        <TextField
          label="Name of the workspace"
          name="organizationName"
          defaultValue={person.firstName && `${person.firstName.slice(0, 60)}’s workspace`}
          hint="Your company or team, for example. It can be changed later."
          maxLength={80}
          autoComplete="organization"
          required
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Create the workspace
          </Button>
        </FormButtons>
      </Form>
      <SignedInAs email={person.email} token={token} />
      {offer.heldUntil && (
        <HeldPlace token={token} heldUntil={offer.heldUntil} onReleased={again} />
      )}
    </>
  );
}
