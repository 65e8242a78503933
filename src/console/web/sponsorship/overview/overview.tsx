import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { amountOfStatus } from '../billing-status.tsx';
import { SponsorshipOverviewDocument, type SponsorshipOverviewQuery } from '../documents.ts';
import { formatWholeEuro } from '../money.ts';
import { SectionTabs } from '../section-tabs.tsx';
import { ByCampaign } from './by-campaign.tsx';
import { ByMonth } from './by-month.tsx';
import { ByStatus } from './by-status.tsx';
import { EndingSoon } from './ending-soon.tsx';
import { SeatsCard } from './seats-card.tsx';

/** The key figures and charts of an organization's sponsorship. */
export function Overview() {
  const answer = useGraphQuery(
    SponsorshipOverviewDocument,
    {},
    { typenames: ['Campaign', 'Redemption'] },
  );
  return (
    <>
      <PageHead title="Sponsorship" lead="Redemptions, billing, and sponsorships that end soon." />
      <SectionTabs />
      <Loaded answer={answer} lines={8}>
        {({ sponsorshipSummary }) =>
          sponsorshipSummary.campaigns.total === 0 ? (
            <NoCampaigns />
          ) : (
            <OverviewCharts summary={sponsorshipSummary} />
          )
        }
      </Loaded>
    </>
  );
}

function NoCampaigns() {
  return (
    <EmptyState
      title="No campaigns yet"
      action={
        <LinkButton href="/campaigns?new=yes" kind="primary">
          Create campaign
        </LinkButton>
      }
    >
      A campaign defines what you sponsor and for whom. You share it with links.
    </EmptyState>
  );
}

function OverviewCharts({
  summary: { billing, campaigns, sponsorships },
}: {
  summary: SponsorshipOverviewQuery['sponsorshipSummary'];
}) {
  const redemptions = billing.reduce((sum, status) => sum + status.redemptions, 0);
  const [unbilled, disputed] = [
    amountOfStatus(billing, 'UNBILLED'),
    amountOfStatus(billing, 'DISPUTED'),
  ];
  const otherStates = [
    campaigns.exhausted > 0 && `${campaigns.exhausted.toLocaleString()} fully redeemed`,
    campaigns.ended > 0 && `${campaigns.ended.toLocaleString()} ended`,
    campaigns.switchedOff > 0 && `${campaigns.switchedOff.toLocaleString()} paused`,
  ].filter(Boolean);
  return (
    <>
      <Figures>
        <Figure
          label="Redemptions"
          value={redemptions.toLocaleString()}
          hint={`${sponsorships.running.toLocaleString()} running`}
        />
        <Figure
          label="Live campaigns"
          value={campaigns.live.toLocaleString()}
          hint={otherStates.join(', ') || `of ${campaigns.total.toLocaleString()}`}
        />
        <Figure
          label="To be billed"
          value={formatWholeEuro(unbilled.amountEur)}
          hint={`${unbilled.redemptions.toLocaleString()} redemptions`}
        />
        <Figure
          label="Disputed"
          value={formatWholeEuro(disputed.amountEur)}
          hint={`${disputed.redemptions.toLocaleString()} redemptions`}
        />
        <Figure
          label="Ending within 30 days"
          value={sponsorships.endingWithin30Days.toLocaleString()}
          hint={`${sponsorships.endingWithin90Days.toLocaleString()} within 90`}
        />
      </Figures>
      <ByMonth title="Redemptions by month" />
      <div className="sponsorship-pair">
        <ByCampaign />
        <ByStatus billing={billing} />
      </div>
      <SeatsCard />
      <EndingSoon />
    </>
  );
}
