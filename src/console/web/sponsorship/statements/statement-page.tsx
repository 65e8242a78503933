import type { ReactNode } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { formatNumber } from '../../texts/format.ts';
import { language } from '../../texts/language.ts';
import { richText, t } from '../../texts/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, Figure, Figures, PageHead } from '../../ui/page.tsx';
import { Loaded, Notice } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge, billingLabel } from '../billing-status.tsx';
import { StatementDocument, type StatementQuery } from '../documents.ts';
import { formatEuro, formatUtcDate, formatUtcFullMonth } from '../format.tsx';
import { StatementEntries } from './statement-entries.tsx';
import { StatementBatches, StatementCampaigns } from './statement-groups.tsx';

/** What happened to sponsorships in a month, and what is billable. */
export function StatementPage({ month }: { month: string }) {
  const answer = useGraphQuery(StatementDocument, { month }, { typenames: ['Redemption'] });
  const loaded = answer.data?.sponsorshipStatement;
  return (
    <>
      <PageHead
        title={
          loaded
            ? t('statements.statementOf', { month: formatUtcFullMonth(loaded.from) })
            : t('statements.statements')
        }
        back={{ href: '/statements', label: t('statements.statements') }}
        lead={loaded && periodOf(loaded)}
        actions={loaded && <Downloads month={month} />}
      />
      <Loaded answer={answer} lines={8}>
        {({ sponsorshipStatement }) => (
          <>
            <Totals {...sponsorshipStatement} />
            <StatementCampaigns month={month} />
            <StatementBatches month={month} />
            <StatementEntries month={month} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Statement = StatementQuery['sponsorshipStatement'];

const periodOf = ({ from, until, isOver }: Statement) => {
  const last = new Date(new Date(until).getTime() - 1).toISOString();
  const period = t('statements.period', {
    first: formatUtcDate(from),
    last: formatUtcDate(last),
  });
  return isOver ? period : `${period} ${t('statements.provisional')}`;
};

function Downloads({ month }: { month: string }) {
  const { organization } = useViewer();
  const inOrganization = `organization=${organization?.id}`;
  return (
    <>
      <a
        className="button button-plain"
        href={`/files/statements/${month}?language=${language()}&${inOrganization}`}
        download
      >
        <Icon name="download" /> {t('statements.downloadPdf')}
      </a>
      <a
        className="button button-plain"
        href={`/files/statement-entries/${month}?format=csv&${inOrganization}`}
        download
      >
        <Icon name="download" /> {t('statements.downloadCsv')}
      </a>
    </>
  );
}

function Totals({
  began,
  extended,
  ended,
  billableRedemptions,
  billableEur,
  byBillingStatus,
  reconciliation,
}: Statement) {
  return (
    <>
      <Figures>
        <Figure label={t('statements.began')} value={began} />
        <Figure label={t('statements.extended')} value={extended} />
        <Figure label={t('statements.ended')} value={ended} />
        <Figure
          label={t('statements.billable')}
          value={formatEuro(billableEur)}
          hint={t('statements.billableCount', { count: billableRedemptions })}
        />
      </Figures>
      <Card title={t('statements.byBillingStatus')}>
        <Table
          caption={t('statements.byBillingStatus')}
          rows={byBillingStatus}
          keyOf={({ billingStatus }) => billingStatus}
          columns={[
            {
              title: t('sponsorship.status'),
              cell: ({ billingStatus }) => <BillingBadge status={billingStatus} />,
            },
            {
              title: t('sponsorship.redemptions'),
              align: 'end',
              cell: ({ redemptions }) => formatNumber(redemptions),
            },
            {
              title: t('sponsorship.amount'),
              align: 'end',
              cell: ({ amountEur }) => formatEuro(amountEur),
            },
          ]}
        />
        <div className="sponsorship-reconciliation">
          <Reconciliation {...reconciliation} />
        </div>
        <p className="quiet">{t('statements.billedOnce')}</p>
      </Card>
    </>
  );
}

/** Whether the statement agrees with the totals that the overview shows. */
function Reconciliation({
  agrees,
  redemptions,
  unvalued,
  differences,
}: Statement['reconciliation']) {
  const amountOf = (count: number, amountEur: number) =>
    t('statements.amountOf', { count, amount: formatEuro(amountEur) });
  const strong = { b: (text: ReactNode) => <strong>{text}</strong> };
  return (
    <Notice tone={agrees ? 'good' : 'bad'}>
      {agrees && <p>{richText('statements.agrees', { count: redemptions, ...strong })}</p>}
      {differences.map((difference) => (
        <p key={difference.billingStatus}>
          {richText('statements.differs', {
            status: billingLabel(difference.billingStatus),
            counted: amountOf(difference.countedRedemptions, difference.countedAmountEur),
            recorded: amountOf(difference.recordedRedemptions, difference.recordedAmountEur),
            ...strong,
          })}
        </p>
      ))}
      {unvalued > 0 && <p>{t('statements.unvalued', { count: unvalued })}</p>}
    </Notice>
  );
}
