import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { amountIn } from '../billing-status.tsx';
import { SponsorshipOverviewDocument, type SponsorshipOverviewQuery } from '../documents.ts';
import { wholeEur } from '../money.ts';
import { SectionTabs } from '../section-tabs.tsx';
import { ByCampaign } from './by-campaign.tsx';
import { ByMonth } from './by-month.tsx';
import { ByStatus } from './by-status.tsx';
import { EndingSoon } from './ending-soon.tsx';
import { SeatsCard } from './seats-card.tsx';

/** How sponsoring stands, at a glance. */
export function Overview() {
  const answer = useGraphQuery(
    SponsorshipOverviewDocument,
    {},
    { typenames: ['Campaign', 'Redemption'] },
  );
  return (
    <>
      <PageHead
        title="Sponsorship"
        lead="What was redeemed, what is to be billed, and what ends soon."
      />
      <SectionTabs />
      <Loaded answer={answer} lines={8}>
        {({ sponsorshipSummary }) =>
          sponsorshipSummary.campaigns.total === 0 ? (
            <Nothing />
          ) : (
            <Everything summary={sponsorshipSummary} />
          )
        }
      </Loaded>
    </>
  );
}

function Nothing() {
  return (
    <EmptyState
      title="Nothing is sponsored yet"
      action={
        <LinkButton href="/campaigns?new=yes" kind="primary">
          Create the first campaign
        </LinkButton>
      }
    >
      A campaign says what you give away, and to whom. Its links are what you hand out.
    </EmptyState>
  );
}

function Everything({
  summary: { billing, campaigns, sponsorships },
}: {
  summary: SponsorshipOverviewQuery['sponsorshipSummary'];
}) {
  const redemptions = billing.reduce((sum, one) => sum + one.redemptions, 0);
  const [unbilled, disputed] = [amountIn(billing, 'UNBILLED'), amountIn(billing, 'DISPUTED')];
  const others = [
    campaigns.exhausted > 0 && `${campaigns.exhausted.toLocaleString()} exhausted`,
    campaigns.ended > 0 && `${campaigns.ended.toLocaleString()} ended`,
    campaigns.switchedOff > 0 && `${campaigns.switchedOff.toLocaleString()} switched off`,
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
          hint={others.join(', ') || `of ${campaigns.total.toLocaleString()}`}
        />
        <Figure
          label="To be billed"
          value={wholeEur(unbilled.amountEur)}
          hint={`${unbilled.redemptions.toLocaleString()} redemptions`}
        />
        <Figure
          label="Disputed"
          value={wholeEur(disputed.amountEur)}
          hint={`${disputed.redemptions.toLocaleString()} redemptions`}
        />
        <Figure
          label="End within 30 days"
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
