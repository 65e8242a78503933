import { Link } from 'wouter';
import { Card } from '../../ui/card.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import type { SponsorshipOverviewQuery } from '../documents.ts';
import { formatEuro } from '../money.ts';
import { ShareBar } from '../share-bar.tsx';

type StatusTotals = SponsorshipOverviewQuery['sponsorshipSummary']['billing'][number];

/** Counts and amounts by billing status. Each status links to its redemptions. */
export function ByStatus({
  billing,
  campaignId,
}: {
  billing: readonly StatusTotals[];
  campaignId?: string;
}) {
  const campaignParameter =
    campaignId === undefined ? '' : `&campaign=${encodeURIComponent(campaignId)}`;
  const totalRedemptions = billing.reduce((sum, { redemptions }) => sum + redemptions, 0);
  return (
    <Card title="Billing">
      <Table
        caption="Redemptions by billing status"
        rows={billing}
        keyOf={({ billingStatus }) => billingStatus}
        columns={[
          {
            title: 'Status',
            cell: ({ billingStatus }) => (
              <Link href={`/redemptions?status=${billingStatus}${campaignParameter}`}>
                <BillingBadge status={billingStatus} />
              </Link>
            ),
          },
          {
            title: 'Redemptions',
            align: 'end',
            cell: ({ redemptions }) => redemptions.toLocaleString(),
          },
          {
            title: 'Share',
            narrow: 'hide',
            cell: ({ redemptions }) => <ShareBar part={redemptions} total={totalRedemptions} />,
          },
          { title: 'Amount', align: 'end', cell: ({ amountEur }) => formatEuro(amountEur) },
        ]}
      />
    </Card>
  );
}
