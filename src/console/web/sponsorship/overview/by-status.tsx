import { Link } from 'wouter';
import { Card } from '../../ui/card.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import type { SponsorshipOverviewQuery } from '../documents.ts';
import { eur } from '../money.ts';
import { Share } from '../share.tsx';

type StatusAmount = SponsorshipOverviewQuery['sponsorshipSummary']['billing'][number];

/** Where the money stands; each status leads to its redemptions. */
export function ByStatus({
  billing,
  campaignId,
}: {
  billing: readonly StatusAmount[];
  campaignId?: string;
}) {
  const ofCampaign = campaignId === undefined ? '' : `&campaign=${encodeURIComponent(campaignId)}`;
  const together = billing.reduce((sum, { redemptions }) => sum + redemptions, 0);
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
              <Link href={`/redemptions?status=${billingStatus}${ofCampaign}`}>
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
            cell: ({ redemptions }) => <Share part={redemptions} whole={together} />,
          },
          { title: 'Amount', align: 'end', cell: ({ amountEur }) => eur(amountEur) },
        ]}
      />
    </Card>
  );
}
