import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { Moment } from '../day.tsx';
import type { CampaignTermsFragment } from '../documents.ts';
import { eur } from '../money.ts';

const entriesShown = 5;

/** What the campaign gives. The price is agreed with platform support, and shown as it was set. */
export function TermsCard({ campaign }: { campaign: CampaignTermsFragment }) {
  const { durationMonths, includedSeats, expiresAt, pricing, allowedEmailDomains, allowedEmails } =
    campaign;
  const isOpen = allowedEmailDomains.length + allowedEmails.length === 0;
  return (
    <Card title="Terms">
      <dl className="sponsorship-facts">
        <Fact term="Lasts">{durationMonths === 1 ? '1 month' : `${durationMonths} months`}</Fact>
        <Fact term="Seats of each workspace">
          {includedSeats === null ? 'No cap' : includedSeats.toLocaleString()}
        </Fact>
        <Fact term="Ends">{expiresAt === null ? 'Never' : <Moment at={expiresAt} />}</Fact>
        <Fact term="Price">
          {pricing === null ? 'Nothing agreed yet; platform support sets it' : priceOf(pricing)}
        </Fact>
        {isOpen ? (
          <Fact term="Admits">Everyone</Fact>
        ) : (
          <>
            {allowedEmailDomains.length > 0 && (
              <Fact term="Admits domains">{shortened(allowedEmailDomains)}</Fact>
            )}
            {allowedEmails.length > 0 && (
              <Fact term="Admits addresses">{shortened(allowedEmails)}</Fact>
            )}
          </>
        )}
      </dl>
    </Card>
  );
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function priceOf({
  model,
  amountEur,
  unit,
}: {
  model: string;
  amountEur: number;
  unit: string;
}): string {
  const known = model === 'FIXED' && unit === 'PER_REDEMPTION';
  return known ? `${eur(amountEur)} for each redemption` : `${eur(amountEur)} (${model}, ${unit})`;
}

function shortened(entries: readonly string[]): string {
  const shown = entries.slice(0, entriesShown).join(', ');
  return entries.length > entriesShown
    ? `${shown} and ${(entries.length - entriesShown).toLocaleString()} more`
    : shown;
}
