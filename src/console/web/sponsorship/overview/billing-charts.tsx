import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Chart } from '../../ui/charts/chart.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import {
  BillingBadge,
  type BillingMeasure,
  billingSeries,
  chartValues,
  type StatusAmount,
} from '../billing-status.tsx';
import {
  RedemptionMonthsDocument,
  SponsorshipSeatsDocument,
  TopCampaignsDocument,
} from '../documents.ts';
import { formatEuro, formatUtcMonth, formatWholeEuro, ShareBar } from '../format.tsx';

const measures: readonly { measure: BillingMeasure; label: PlainKey }[] = [
  { measure: 'redemptions', label: 'sponsorship.count' },
  { measure: 'amountEur', label: 'sponsorship.amount' },
];

/** The redemptions of each of the last twelve months, by their current billing status. */
export function ByMonth({ title, campaignId }: { title: string; campaignId?: string }) {
  const [shownMeasure, setMeasure] = useState<BillingMeasure>('redemptions');
  const answer = useGraphQuery(
    RedemptionMonthsDocument,
    { months: 12, campaignId: campaignId ?? null },
    { typenames: ['Redemption'] },
  );
  const measureChoice = (
    <fieldset className="sponsorship-choice">
      <legend className="sr-only">{t('sponsorship.countOrAmount', { title })}</legend>
      {measures.map(({ measure, label }) => (
        <Button
          key={measure}
          kind={measure === shownMeasure ? 'plain' : 'quiet'}
          aria-pressed={measure === shownMeasure}
          onClick={() => setMeasure(measure)}
        >
          {t(label)}
        </Button>
      ))}
    </fieldset>
  );
  return (
    <Card title={title} actions={measureChoice}>
      <Loaded answer={answer} lines={8}>
        {({ redemptionMonths }) => (
          <Chart
            title={t('sponsorship.byBillingStatus', { title })}
            pointTitle={t('sponsorship.monthUtc')}
            series={billingSeries()}
            points={redemptionMonths.map(({ month, byBillingStatus }) => ({
              key: month,
              label: formatUtcMonth(month),
              values: chartValues(byBillingStatus, shownMeasure),
            }))}
            {...(shownMeasure === 'amountEur' ? { format: formatWholeEuro } : { isCount: true })}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** The campaigns with the most redemptions. */
export function ByCampaign() {
  const answer = useGraphQuery(TopCampaignsDocument, {}, { typenames: ['Campaign', 'Redemption'] });
  const showAll = (
    <LinkButton href="/campaigns?order=MOST_REDEEMED" kind="quiet">
      {t('sponsorship.showAll')}
    </LinkButton>
  );
  return (
    <Card title={t('sponsorship.mostRedeemed')} actions={showAll}>
      <Loaded answer={answer} lines={8}>
        {({ campaigns: { nodes } }) => (
          <Chart
            title={t('sponsorship.mostRedeemedChart')}
            pointTitle={t('sponsorship.campaign')}
            direction="across"
            isCount
            series={billingSeries()}
            points={nodes.map(({ id, name, billing }) => ({
              key: id,
              label: name,
              values: chartValues(billing, 'redemptions'),
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}

type ByStatusProps = { billing: readonly StatusAmount[]; campaignId?: string };

/** Counts and amounts by billing status. Each status links to its redemptions. */
export function ByStatus({ billing, campaignId }: ByStatusProps) {
  const campaignParameter =
    campaignId === undefined ? '' : `&campaign=${encodeURIComponent(campaignId)}`;
  const total = billing.reduce((sum, { redemptions }) => sum + redemptions, 0);
  return (
    <Card title={t('sponsorship.billing')}>
      <Table
        caption={t('sponsorship.billingCaption')}
        rows={billing}
        keyOf={({ billingStatus }) => billingStatus}
        columns={[
          {
            title: t('sponsorship.status'),
            cell: ({ billingStatus }) => (
              <Link href={`/redemptions?status=${billingStatus}${campaignParameter}`}>
                <BillingBadge status={billingStatus} />
              </Link>
            ),
          },
          {
            title: t('sponsorship.redemptions'),
            align: 'end',
            cell: ({ redemptions }) => formatNumber(redemptions),
          },
          {
            title: t('sponsorship.shareColumn'),
            narrow: 'hide',
            cell: ({ redemptions }) => <ShareBar part={redemptions} total={total} />,
          },
          {
            title: t('sponsorship.amount'),
            align: 'end',
            cell: ({ amountEur }) => formatEuro(amountEur),
          },
        ]}
      />
    </Card>
  );
}

/** How many of the sponsored seats are used. */
export function SeatsCard() {
  const answer = useGraphQuery(SponsorshipSeatsDocument, {}, { typenames: ['Redemption'] });
  return (
    <Card title={t('sponsorship.seats')}>
      <Loaded answer={answer} lines={2}>
        {({ sponsorshipSummary: { seats } }) => <SeatsLine {...seats} />}
      </Loaded>
    </Card>
  );
}

type SeatUsage = { sponsorships: number; given: number; used: number };

export function SeatsLine({ sponsorships, given, used }: SeatUsage) {
  if (sponsorships === 0) return <p className="quiet">{t('sponsorship.noneRunning')}</p>;
  return (
    <>
      <p>{t('sponsorship.seatsLine', { used, sponsorships, given })}</p>
      {given > 0 && <ShareBar part={used} total={given} />}
    </>
  );
}
