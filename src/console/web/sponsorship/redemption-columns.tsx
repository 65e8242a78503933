import { Link } from 'wouter';
import { BillingBadge } from './billing-status.tsx';
import type { RedemptionRowFragment } from './documents.ts';
import { formatEuro, UtcDate } from './format.tsx';

type Row<Field extends keyof RedemptionRowFragment> = Pick<RedemptionRowFragment, Field>;

/** The columns of tables of redemptions. */
export const redemptionColumns = {
  workspace: {
    title: 'Workspace',
    cell: ({ id, organizationName }: Row<'id' | 'organizationName'>) => (
      <Link href={`/redemptions/${id}`}>{organizationName}</Link>
    ),
  },
  redeemedBy: { title: 'Redeemed by', cell: ({ userEmail }: Row<'userEmail'>) => userEmail },
  campaign: {
    title: 'Campaign',
    narrow: 'hide',
    cell: ({ campaignName }: Row<'campaignName'>) => campaignName,
  },
  redeemed: {
    title: 'Redeemed',
    align: 'end',
    cell: ({ redeemedAt }: Row<'redeemedAt'>) => <UtcDate at={redeemedAt} />,
  },
  ends: {
    title: 'Ends',
    align: 'end',
    cell: ({ sponsoredUntil }: Row<'sponsoredUntil'>) => <UtcDate at={sponsoredUntil} />,
  },
  billing: {
    title: 'Billing',
    cell: ({ billingStatus }: Row<'billingStatus'>) => <BillingBadge status={billingStatus} />,
  },
  amount: {
    title: 'Amount',
    align: 'end',
    cell: ({ billingAmount }: Row<'billingAmount'>) => formatEuro(billingAmount),
  },
} as const;
