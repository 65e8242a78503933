import { Link } from 'wouter';
import { t } from '../texts/text.ts';
import { Address } from '../ui/address.tsx';
import { BillingBadge } from './billing-status.tsx';
import type { RedemptionRowFragment } from './documents.ts';
import { formatEuro, UtcDate } from './format.tsx';

type Row<Field extends keyof RedemptionRowFragment> = Pick<RedemptionRowFragment, Field>;

/** The columns of tables of redemptions. */
export const redemptionColumns = () =>
  ({
    workspace: {
      title: t('sponsorship.workspace'),
      cell: ({ id, organizationName }: Row<'id' | 'organizationName'>) => (
        <Link href={`/redemptions/${id}`}>{organizationName}</Link>
      ),
    },
    redeemedBy: {
      title: t('sponsorship.redeemedBy'),
      cell: ({ userEmail }: Row<'userEmail'>) => <Address>{userEmail}</Address>,
    },
    campaign: {
      title: t('sponsorship.campaign'),
      narrow: 'hide',
      cell: ({ campaignName }: Row<'campaignName'>) => campaignName,
    },
    redeemed: {
      title: t('sponsorship.redeemed'),
      align: 'end',
      cell: ({ redeemedAt }: Row<'redeemedAt'>) => <UtcDate at={redeemedAt} />,
    },
    ends: {
      title: t('sponsorship.ends'),
      align: 'end',
      cell: ({ sponsoredUntil }: Row<'sponsoredUntil'>) => <UtcDate at={sponsoredUntil} />,
    },
    billing: {
      title: t('sponsorship.billing'),
      cell: ({ billingStatus }: Row<'billingStatus'>) => <BillingBadge status={billingStatus} />,
    },
    amount: {
      title: t('sponsorship.amount'),
      align: 'end',
      cell: ({ billingAmount }: Row<'billingAmount'>) => formatEuro(billingAmount),
    },
  }) as const;
