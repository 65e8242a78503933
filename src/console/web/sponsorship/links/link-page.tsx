import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { CopyBox } from '../../ui/one-time-secret.tsx';
import { Card, Figure, Figures, PageHead } from '../../ui/page.tsx';
import { Loaded } from '../../ui/status.tsx';
import { LinkDocument, type LinkQuery } from '../documents.ts';
import { formatConversion, formatUtcDate } from '../format.tsx';
import { InvitationsCard } from '../invitations/invitations-card.tsx';
import { LinkPassword, PauseLink, QrDialog, RenameLink } from './link-actions.tsx';

const periods = [7, 30, 90];

/** One link with its addresses, and how often it was opened and redeemed. */
export function LinkPage({ linkId }: { linkId: string }) {
  const [days, setDays] = useState(30);
  const answer = useGraphQuery(
    LinkDocument,
    { linkId, days },
    { typenames: ['Link', 'Redemption'], live: true },
  );
  const loaded = answer.data?.link;
  return (
    <>
      <PageHead
        title={loaded?.name ?? t('links.link')}
        back={
          loaded
            ? { href: `/campaigns/${loaded.campaign.id}`, label: loaded.campaign.name }
            : { href: '/campaigns', label: t('campaigns.campaigns') }
        }
        actions={
          loaded && (
            <>
              <PauseLink link={loaded} />
              <QrDialog link={loaded} />
              <LinkPassword link={loaded} />
              <RenameLink link={loaded} />
            </>
          )
        }
      />
      <search className="toolbar">
        <SelectField
          label={t('links.period')}
          options={periods.map((period) => ({
            value: String(period),
            label: t('links.lastDays', { days: period }),
          }))}
          value={String(days)}
          onValue={(value) => setDays(Number(value))}
        />
      </search>
      <Loaded answer={answer} lines={10}>
        {({ link }) => (
          <>
            <LinkTotals link={link} />
            <Addresses link={link} />
            <InvitationsCard linkId={linkId} />
            <div className="sponsorship-pair">
              <DayChart title={t('links.clicksByDay')} link={link} measure="clicks" />
              <DayChart title={t('links.redemptionsByDay')} link={link} measure="redemptions" />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

const LinkTotals = ({
  link: {
    completedRedemptionsCount: count,
    figures: { clicks, redemptions, conversion },
  },
}: LinkQuery) => (
  <Figures>
    <Figure label={t('links.clicks')} value={clicks} hint={t('links.clicksHint')} />
    <Figure
      label={t('links.redemptions')}
      value={redemptions}
      hint={t('links.redeemedInTotal', { count })}
    />
    <Figure
      label={t('links.conversion')}
      value={formatConversion(conversion)}
      hint={t('links.conversionHint')}
    />
  </Figures>
);

const Addresses = ({ link: { url, shortUrl } }: LinkQuery) => (
  <Card title={t('links.addresses')}>
    <CopyBox label={t('links.shortAddress')} text={shortUrl} copyLabel={t('links.copyShort')} />
    <CopyBox label={t('links.address')} text={url} copyLabel={t('links.copyLink')} />
    <p className="hint">{t('links.shortHint')}</p>
  </Card>
);

type DayChartProps = LinkQuery & { title: string; measure: 'clicks' | 'redemptions' };

const DayChart = ({ title, link, measure }: DayChartProps) => (
  <Card title={title}>
    <Chart
      title={title}
      pointTitle={t('links.dayUtc')}
      isCount
      series={[
        { key: measure, label: t(`links.${measure}`), colour: measure === 'clicks' ? 4 : 2 },
      ]}
      points={link.figures.byDay.map(({ day, ...values }) => ({
        ...{ key: day, label: formatUtcDate(day) },
        values: { [measure]: values[measure] },
      }))}
    />
  </Card>
);
