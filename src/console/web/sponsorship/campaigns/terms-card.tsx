import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import type { CampaignTermsFragment } from '../documents.ts';
import { formatEuro } from '../money.ts';
import { UtcDateTime } from '../utc-date.tsx';

const shownEntriesMax = 5;

/** The terms of a campaign. Platform support sets the price, so it is read-only here. */
export function TermsCard({ campaign }: { campaign: CampaignTermsFragment }) {
  const { durationMonths, includedSeats, expiresAt, pricing, allowedEmailDomains, allowedEmails } =
    campaign;
  const allowsEverybody = allowedEmailDomains.length + allowedEmails.length === 0;
  return (
    <Card title="Terms">
      <dl className="sponsorship-facts">
        <Fact term="Duration">{durationMonths === 1 ? '1 month' : `${durationMonths} months`}</Fact>
        <Fact term="Seats per workspace">
          {includedSeats === null ? 'No limit' : includedSeats.toLocaleString()}
        </Fact>
        <Fact term="Ends">{expiresAt === null ? 'Never' : <UtcDateTime at={expiresAt} />}</Fact>
        <Fact term="Price">
          {pricing === null ? 'Not set yet. Platform support sets it' : formatPrice(pricing)}
        </Fact>
        {allowsEverybody ? (
          <Fact term="Allowed">Everybody</Fact>
        ) : (
          <>
            {allowedEmailDomains.length > 0 && (
              <Fact term="Allowed domains">{shorten(allowedEmailDomains)}</Fact>
            )}
            {allowedEmails.length > 0 && (
              <Fact term="Allowed addresses">{shorten(allowedEmails)}</Fact>
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

export function formatPrice({
  model,
  amountEur,
  unit,
}: {
  model: string;
  amountEur: number;
  unit: string;
}): string {
  const isFixedPrice = model === 'FIXED' && unit === 'PER_REDEMPTION';
  return isFixedPrice
    ? `${formatEuro(amountEur)} per redemption`
    : `${formatEuro(amountEur)} (${model}, ${unit})`;
}

function shorten(entries: readonly string[]): string {
  const shown = entries.slice(0, shownEntriesMax).join(', ');
  return entries.length > shownEntriesMax
    ? `${shown} and ${(entries.length - shownEntriesMax).toLocaleString()} more`
    : shown;
}
