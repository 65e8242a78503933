import { useAction } from '../../graph/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { type OfferFragment, OpenSponsoredOfferDocument } from './documents.ts';
import { giftOf, OfferCard } from './offer-card.tsx';

/**
 * The offer of a link that asks for a password. Once it was right the offer is told anew, and the
 * page goes on.
 */
export function LinkPassword({ token, offer }: { token: string; offer: OfferFragment }) {
  const { run, busy, fault } = useAction(OpenSponsoredOfferDocument);
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  return (
    <>
      <PageHead
        title={giftOf(offer)}
        lead="This link has a password. Whoever gave you the link has told it to you."
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
          error={isWrong ? `${fault.message}. Capital letters and blanks count.` : undefined}
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
