import { Card } from '../ui/card.tsx';
import { Figure, Figures } from '../ui/figure.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import type { HomeQuery } from './documents.ts';

type SponsorshipSummary = NonNullable<HomeQuery['sponsorshipSummary']>;

/** A summary of the workspaces that this organization sponsors. */
export function Sponsoring({
  summary: { campaigns, sponsorships, billing },
}: {
  summary: SponsorshipSummary;
}) {
  const unbilled =
    billing.find(({ billingStatus }) => billingStatus === 'UNBILLED')?.redemptions ?? 0;
  return (
    <Card title="Sponsorship" actions={<LinkButton href="/sponsorship">Open</LinkButton>}>
      <Figures>
        <Figure label="Campaigns" value={campaigns.live.toLocaleString()} hint="live" />
        <Figure label="Sponsorships" value={sponsorships.running.toLocaleString()} hint="running" />
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
