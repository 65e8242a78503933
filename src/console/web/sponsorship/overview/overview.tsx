import { useState } from 'react';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { LinkButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Card, Figure, Figures, PageHead } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { amountOfStatus } from '../billing-status.tsx';
import {
  EndingSoonDocument,
  SponsorshipOverviewDocument,
  type SponsorshipOverviewQuery,
} from '../documents.ts';
import { formatWholeEuro } from '../format.tsx';
import { redemptionColumns } from '../redemption-columns.tsx';
import { SectionTabs } from '../section-tabs.tsx';
import { ByCampaign, ByMonth, ByStatus, SeatsCard } from './billing-charts.tsx';

/** The key figures and charts of an organization's sponsorship. */
export function Overview() {
  const answer = useGraphQuery(
    SponsorshipOverviewDocument,
    {},
    { typenames: ['Campaign', 'Redemption'], live: true },
  );
  return (
    <>
      <PageHead title="Sponsorship" lead="Redemptions, billing, and sponsorships that end soon." />
      <SectionTabs />
      <Loaded answer={answer} lines={8}>
        {({ sponsorshipSummary }) =>
          sponsorshipSummary.campaigns.total === 0 ? (
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
          ) : (
            <OverviewCharts {...sponsorshipSummary} />
          )
        }
      </Loaded>
    </>
  );
}

function OverviewCharts({
  billing,
  campaigns,
  sponsorships,
}: SponsorshipOverviewQuery['sponsorshipSummary']) {
  const unbilled = amountOfStatus(billing, 'UNBILLED');
  const disputed = amountOfStatus(billing, 'DISPUTED');
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
          value={billing.reduce((sum, { redemptions }) => sum + redemptions, 0)}
          hint={`${sponsorships.running.toLocaleString()} running`}
        />
        <Figure
          label="Live campaigns"
          value={campaigns.live}
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
          value={sponsorships.endingWithin30Days}
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

const periods = [30, 60, 90].map((days) => ({ value: String(days), label: `${days} days` }));
const { workspace, redeemedBy, campaign, ends } = redemptionColumns;

/** The sponsorships that end next. */
function EndingSoon() {
  const [days, setDays] = useState(30);
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(EndingSoonDocument, { days, page }, { typenames: ['Redemption'] });
  const choose = (text: string) => {
    setDays(Number(text));
    setPage(1);
  };
  const showAll = (
    <LinkButton href={`/redemptions?ends=${days}`} kind="quiet">
      Show all
    </LinkButton>
  );
  return (
    <Card title="Ending soon" actions={showAll}>
      <div className="toolbar">
        <SelectField label="Within" options={periods} value={String(days)} onValue={choose} />
      </div>
      <PagedTable
        caption={`Sponsorships that end within ${days} days`}
        answer={partOf(answer, ({ expiringRedemptions }) => expiringRedemptions)}
        page={page}
        pageSize={10}
        onPage={setPage}
        empty={<EmptyState title={`No sponsorship ends within ${days} days`} />}
        columns={[
          workspace,
          { ...redeemedBy, narrow: 'hide' },
          campaign,
          {
            title: 'Seats',
            align: 'end',
            cell: ({ includedSeats, usedSeats }) =>
              `${usedSeats}${includedSeats === null ? '' : ` of ${includedSeats}`}`,
          },
          ends,
        ]}
      />
    </Card>
  );
}
