import { useState } from 'react';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
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
      <PageHead title={t('sponsorship.sponsorship')} lead={t('sponsorship.overviewLead')} />
      <SectionTabs />
      <Loaded answer={answer} lines={8}>
        {({ sponsorshipSummary }) =>
          sponsorshipSummary.campaigns.total === 0 ? (
            <EmptyState
              title={t('sponsorship.noCampaigns')}
              action={
                <LinkButton href="/campaigns?new=yes" kind="primary">
                  {t('sponsorship.createCampaign')}
                </LinkButton>
              }
            >
              {t('sponsorship.noCampaignsHint')}
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
    campaigns.exhausted > 0 && t('sponsorship.exhaustedCount', { exhausted: campaigns.exhausted }),
    campaigns.ended > 0 && t('sponsorship.endedCount', { ended: campaigns.ended }),
    campaigns.switchedOff > 0 &&
      t('sponsorship.pausedCount', { switchedOff: campaigns.switchedOff }),
  ].filter(Boolean);
  return (
    <>
      <Figures>
        <Figure
          label={t('sponsorship.redemptions')}
          value={billing.reduce((sum, { redemptions }) => sum + redemptions, 0)}
          hint={t('sponsorship.runningCount', { running: sponsorships.running })}
        />
        <Figure
          label={t('sponsorship.liveCampaigns')}
          value={campaigns.live}
          hint={otherStates.join(', ') || t('sponsorship.ofTotal', { total: campaigns.total })}
        />
        <Figure
          label={t('sponsorship.toBeBilled')}
          value={formatWholeEuro(unbilled.amountEur)}
          hint={t('sponsorship.redemptionCount', { redemptions: unbilled.redemptions })}
        />
        <Figure
          label={t('sponsorship.disputed')}
          value={formatWholeEuro(disputed.amountEur)}
          hint={t('sponsorship.redemptionCount', { redemptions: disputed.redemptions })}
        />
        <Figure
          label={t('sponsorship.ending30')}
          value={sponsorships.endingWithin30Days}
          hint={t('sponsorship.within90', { endingWithin90Days: sponsorships.endingWithin90Days })}
        />
      </Figures>
      <ByMonth title={t('sponsorship.redemptionsByMonth')} />
      <div className="sponsorship-pair">
        <ByCampaign />
        <ByStatus billing={billing} />
      </div>
      <SeatsCard />
      <EndingSoon />
    </>
  );
}

const periods = [30, 60, 90];

/** The sponsorships that end next. */
function EndingSoon() {
  const { workspace, redeemedBy, campaign, ends } = redemptionColumns();
  const [days, setDays] = useState(30);
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(EndingSoonDocument, { days, page }, { typenames: ['Redemption'] });
  const choose = (text: string) => {
    setDays(Number(text));
    setPage(1);
  };
  const showAll = (
    <LinkButton href={`/redemptions?ends=${days}`} kind="quiet">
      {t('sponsorship.showAll')}
    </LinkButton>
  );
  return (
    <Card title={t('sponsorship.endingSoon')} actions={showAll}>
      <div className="toolbar">
        <SelectField
          label={t('sponsorship.within')}
          options={periods.map((period) => ({
            value: String(period),
            label: t('sponsorship.days', { days: period }),
          }))}
          value={String(days)}
          onValue={choose}
        />
      </div>
      <PagedTable
        caption={t('sponsorship.endingCaption', { days })}
        answer={partOf(answer, ({ expiringRedemptions }) => expiringRedemptions)}
        page={page}
        pageSize={10}
        onPage={setPage}
        empty={<EmptyState title={t('sponsorship.noneEnding', { days })} />}
        columns={[
          workspace,
          { ...redeemedBy, narrow: 'hide' },
          campaign,
          {
            title: t('sponsorship.seats'),
            align: 'end',
            cell: ({ includedSeats, usedSeats }) =>
              includedSeats === null
                ? usedSeats
                : t('sponsorship.seatsUsedOf', { usedSeats, includedSeats }),
          },
          ends,
        ]}
      />
    </Card>
  );
}
