import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import type { CampaignTermsFragment } from '../documents.ts';
import { formatMonths, formatPrice, UtcDateTime } from '../format.tsx';

const shownEntriesMax = 5;

/** The terms of a campaign. Platform support sets the price, so it is read-only here. */
export function TermsCard({
  campaign: {
    durationMonths,
    includedSeats,
    expiresAt,
    pricing,
    allowedEmailDomains,
    allowedEmails,
  },
}: {
  campaign: CampaignTermsFragment;
}) {
  const allowsEverybody = allowedEmailDomains.length + allowedEmails.length === 0;
  return (
    <FactCard
      title="Terms"
      facts={{
        Duration: formatMonths(durationMonths),
        'Seats per workspace': includedSeats?.toLocaleString() ?? 'No limit',
        Ends: expiresAt === null ? 'Never' : <UtcDateTime at={expiresAt} />,
        Price: pricing === null ? 'Not set yet. Platform support sets it' : formatPrice(pricing),
        Allowed: allowsEverybody && 'Everybody',
        'Allowed domains': shorten(allowedEmailDomains),
        'Allowed addresses': shorten(allowedEmails),
      }}
    />
  );
}

/** Facts by their name. A fact without a text is left out. */
export const FactCard = ({ title, facts }: { title: string; facts: Record<string, ReactNode> }) => (
  <Card title={title}>
    <dl className="sponsorship-facts">
      {Object.entries(facts).map(
        ([term, fact]) =>
          fact && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ),
      )}
    </dl>
  </Card>
);

function shorten(entries: readonly string[]): string {
  const shown = entries.slice(0, shownEntriesMax).join(', ');
  return entries.length > shownEntriesMax
    ? `${shown} and ${(entries.length - shownEntriesMax).toLocaleString()} more`
    : shown;
}
