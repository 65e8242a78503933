import type { ReactNode } from 'react';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
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
      title={t('campaigns.terms')}
      facts={{
        [t('campaigns.duration')]: formatMonths(durationMonths),
        [t('campaigns.seatsPerWorkspace')]:
          includedSeats === null ? t('campaigns.noLimit') : formatNumber(includedSeats),
        [t('campaigns.ends')]: expiresAt === null ? t('ui.never') : <UtcDateTime at={expiresAt} />,
        [t('campaigns.price')]:
          pricing === null ? t('campaigns.priceNotSet') : formatPrice(pricing),
        [t('campaigns.allowed')]: allowsEverybody && t('campaigns.everybody'),
        [t('campaigns.allowedDomains')]: shorten(allowedEmailDomains),
        [t('campaigns.allowedAddresses')]: shorten(allowedEmails),
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
    ? t('campaigns.andMore', { shown, more: entries.length - shownEntriesMax })
    : shown;
}
