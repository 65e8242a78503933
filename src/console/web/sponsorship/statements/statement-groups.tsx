import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { StatementBatchesDocument, StatementCampaignsDocument } from '../documents.ts';
import { formatEuro } from '../format.tsx';

/** The sponsorships of a month by campaign. */
export function StatementCampaigns({ month }: { month: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    StatementCampaignsDocument,
    { month, page },
    { typenames: ['Campaign', 'Redemption'] },
  );
  return (
    <Card title={t('statements.campaigns')}>
      <PagedTable
        caption={t('statements.campaignsCaption')}
        answer={partOf(answer, ({ sponsorshipStatement }) => sponsorshipStatement.campaigns)}
        page={page}
        pageSize={20}
        onPage={setPage}
        keyOf={({ campaignId }) => campaignId}
        empty={<EmptyState title={t('statements.noEntries')} />}
        columns={[
          {
            title: t('sponsorship.campaign'),
            cell: ({ campaignId, campaignName }) => (
              <Link href={`/campaigns/${campaignId}`}>{campaignName}</Link>
            ),
          },
          {
            title: t('statements.began'),
            align: 'end',
            cell: ({ began }) => formatNumber(began),
          },
          {
            title: t('statements.extended'),
            align: 'end',
            cell: ({ extended }) => formatNumber(extended),
          },
          {
            title: t('statements.ended'),
            align: 'end',
            cell: ({ ended }) => formatNumber(ended),
          },
          {
            title: t('statements.billable'),
            align: 'end',
            cell: ({ billableRedemptions }) => formatNumber(billableRedemptions),
          },
          {
            title: t('sponsorship.amount'),
            align: 'end',
            cell: ({ billableEur }) => formatEuro(billableEur),
          },
        ]}
      />
    </Card>
  );
}

/** The redemptions of a month by billing batch, to compare them with invoices. */
export function StatementBatches({ month }: { month: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    StatementBatchesDocument,
    { month, page },
    { typenames: ['Redemption'] },
  );
  return (
    <Card title={t('statements.batches')}>
      <PagedTable
        caption={t('statements.batchesCaption')}
        answer={partOf(answer, ({ sponsorshipStatement }) => sponsorshipStatement.batches)}
        page={page}
        pageSize={20}
        onPage={setPage}
        keyOf={({ batchId, billingStatus }) => `${billingStatus} ${batchId ?? ''}`}
        empty={<EmptyState title={t('statements.noneBegan')} />}
        columns={[
          {
            title: t('statements.batch'),
            cell: ({ batchId }) =>
              batchId ?? <span className="quiet">{t('statements.noBatch')}</span>,
          },
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
    </Card>
  );
}
