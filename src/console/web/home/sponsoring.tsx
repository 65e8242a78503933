import { Card } from '../ui/card.tsx';
import { Figure, Figures } from '../ui/figure.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import type { HomeQuery } from './documents.ts';

type Summary = NonNullable<HomeQuery['sponsorshipSummary']>;

/** How the organization's own sponsoring of others stands. */
export function Sponsoring({
  summary: { campaigns, sponsorships, billing },
}: {
  summary: Summary;
}) {
  const unbilled =
    billing.find(({ billingStatus }) => billingStatus === 'UNBILLED')?.redemptions ?? 0;
  return (
    <Card title="Sponsorship" actions={<LinkButton href="/sponsorship">Open</LinkButton>}>
      <Figures>
        <Figure
          label="Campaigns"
          value={campaigns.live.toLocaleString()}
          hint="can be redeemed now"
        />
        <Figure
          label="Sponsorships"
          value={sponsorships.running.toLocaleString()}
          hint="are running"
        />
        <Figure
          label="Ending"
          value={sponsorships.endingWithin30Days.toLocaleString()}
          hint="within 30 days"
        />
        <Figure label="Unbilled" value={unbilled.toLocaleString()} hint="redemptions" />
      </Figures>
    </Card>
  );
}
