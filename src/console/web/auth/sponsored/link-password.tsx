import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { type OfferFragment, OpenSponsoredOfferDocument } from './documents.ts';
import { OfferCard, offerTitle } from './offer-card.tsx';

/**
 * The offer of a link with a password. After the correct password the offer is fetched again, and
 * the page continues.
 */
export function LinkPassword({ token, offer }: { token: string; offer: OfferFragment }) {
  const { run, busy, fault } = useGraphMutation(OpenSponsoredOfferDocument);
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  return (
    <>
      <PageHead
        title={offerTitle(offer)}
        lead="This link needs a password. Ask the person who gave you the link for it."
      />
      <OfferCard offer={offer} />
      <Form
        label="Open the offer"
        fault={isWrong ? undefined : fault}
        onSubmit={(data) => run({ token, password: String(data.get('password')) })}
      >
        <PasswordField
          label="Password of the link"
          name="password"
          autoComplete="off"
          required
          error={isWrong ? `${fault.message}. Check upper case, lower case and spaces.` : undefined}
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Continue
          </Button>
        </FormButtons>
      </Form>
    </>
  );
}
