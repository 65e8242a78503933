import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { FactCard } from '../campaigns/terms-card.tsx';
import {
  ExtensionsDocument,
  type ExtensionsQuery,
  RedemptionDocument,
  type RedemptionQuery,
} from '../documents.ts';
import { formatEuro, formatMonths, formatPrice, UtcDate, UtcDateTime } from '../format.tsx';
import { BillingDialog, ExtendDialog } from './redemption-dialogs.tsx';

/** One redemption: the terms copied from the campaign, its billing, and its extensions. */
export function RedemptionPage({ redemptionId }: { redemptionId: string }) {
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page: 1 });
  const loaded = answer.data?.redemption;
  const selected = loaded && new Map([[loaded.id, loaded]]);
  return (
    <>
      <PageHead
        title={loaded?.organizationName ?? t('redemptions.redemption')}
        back={{ href: '/redemptions', label: t('redemptions.redemptions') }}
        lead={loaded && t('redemptions.redeemedBy', { userEmail: loaded.userEmail })}
        actions={
          selected && (
            <>
              <BillingDialog selected={selected} />
              <ExtendDialog selected={selected} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={8}>
        {({ redemption }) => (
          <>
            <div className="sponsorship-pair">
              <FactCard title={t('sponsorship.sponsorship')} facts={sponsorshipFacts(redemption)} />
              <FactCard title={t('sponsorship.billing')} facts={billingFacts(redemption)} />
            </div>
            <BillingHistory redemptionId={redemptionId} />
            <Extensions redemptionId={redemptionId} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Redemption = RedemptionQuery['redemption'];

const sponsorshipFacts = (redemption: Redemption) => {
  const { sponsoredUntil, extendedUntil, includedSeats, usedSeats } = redemption;
  const end = <UtcDateTime at={sponsoredUntil} />;
  return {
    [t('sponsorship.campaign')]: (
      <Link href={`/campaigns/${redemption.campaignId}`}>{redemption.campaignName}</Link>
    ),
    [t('redemptions.link')]: redemption.linkName,
    [t('sponsorship.redeemed')]: <UtcDateTime at={redemption.redeemedAt} />,
    [Date.parse(sponsoredUntil) > Date.now() ? t('sponsorship.ends') : t('redemptions.ended')]: end,
    [t('redemptions.initialDuration')]: formatMonths(redemption.durationMonths),
    [t('redemptions.seatsUsed')]:
      includedSeats === null
        ? t('redemptions.seatsNoLimit', { usedSeats })
        : t('sponsorship.seatsUsedOf', { usedSeats, includedSeats }),
    [t('redemptions.extendedUntil')]:
      extendedUntil === null ? t('ui.never') : <UtcDateTime at={extendedUntil} />,
    [t('redemptions.extensionReason')]: redemption.extensionReason,
  };
};

const billingFacts = (redemption: Redemption) => {
  const { billingStatus, billingAmount, billedAt, billingBatchId, pricing } = redemption;
  return {
    [t('redemptions.status')]: <BillingBadge status={billingStatus} />,
    [t('sponsorship.amount')]: formatEuro(billingAmount),
    [t('redemptions.billed')]:
      billedAt === null ? t('redemptions.notYet') : <UtcDateTime at={billedAt} />,
    [t('redemptions.batch')]: billingBatchId ?? '–',
    [t('redemptions.priceAtRedemption')]:
      pricing === null ? t('redemptions.noPrice') : formatPrice(pricing),
  };
};

const dateColumn = () => ({
  title: t('redemptions.date'),
  cell: ({ at }: { at: string }) => <UtcDateTime at={at} />,
});

type ChangeActor = {
  actorUser: { email: string } | null;
  actorUserId: string | null;
  actorKeyId: string | null;
};

/** The name of the person or key behind a change, as far as it is still known. */
const actorColumn = () => ({
  title: t('redemptions.by'),
  cell: ({ actorUser, actorUserId, actorKeyId }: ChangeActor) => {
    if (actorUser) return actorUser.email;
    if (actorKeyId !== null) return t('redemptions.anOrganizationKey');
    return actorUserId === null ? 'Atrium' : t('redemptions.formerMember');
  },
});

/** Every change of the billing, newest first. Entries are never deleted. */
function BillingHistory({ redemptionId }: { redemptionId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page });
  return (
    <Card title={t('redemptions.billingHistory')}>
      <PagedTable
        caption={t('redemptions.billingChanges')}
        answer={partOf(answer, ({ redemption }) => redemption.billingChanges)}
        page={page}
        pageSize={10}
        onPage={setPage}
        empty={<EmptyState title={t('redemptions.noBillingChanges')} />}
        columns={[
          dateColumn(),
          {
            title: t('redemptions.from'),
            cell: ({ statusBefore }) => <BillingBadge status={statusBefore} />,
          },
          { title: t('redemptions.to'), cell: ({ status }) => <BillingBadge status={status} /> },
          {
            title: t('sponsorship.amount'),
            align: 'end',
            cell: ({ amount }) => formatEuro(amount),
          },
          { title: t('redemptions.batchColumn'), cell: ({ batchId }) => batchId ?? '–' },
          actorColumn(),
        ]}
      />
    </Card>
  );
}

/** Every extension, from the audit log. */
function Extensions({ redemptionId }: { redemptionId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    ExtensionsDocument,
    { redemptionId, page },
    { typenames: ['Redemption'] },
  );
  return (
    <Card title={t('redemptions.extensions')}>
      <PagedTable
        caption={t('redemptions.extensions')}
        answer={partOf(answer, ({ auditEntries: { nodes, totalCount } }) => ({
          totalCount,
          nodes: nodes.map((entry) => ({ ...entry, ...parseExtension(entry.changes) })),
        }))}
        page={page}
        pageSize={10}
        onPage={setPage}
        lines={2}
        empty={<EmptyState title={t('redemptions.noExtensions')} />}
        columns={[
          dateColumn(),
          { title: t('redemptions.from'), cell: ({ from }) => from && <UtcDate at={from} /> },
          { title: t('redemptions.to'), cell: ({ to }) => to && <UtcDate at={to} /> },
          { title: t('redemptions.reason'), cell: ({ reason }) => reason ?? '–' },
          actorColumn(),
        ]}
      />
    </Card>
  );
}

type ExtensionChange = ExtensionsQuery['auditEntries']['nodes'][number]['changes'][number];

/**
 * The dates of an extension in the audit log. Entries of other versions of Atrium may lack them.
 */
function parseExtension(changes: readonly ExtensionChange[]) {
  const changeOf = (name: string) => changes.find(({ field }) => field === name);
  const end = changeOf('sponsoredUntil');
  return {
    from: textOrNull(end?.before),
    to: textOrNull(end?.value),
    reason: textOrNull(changeOf('extensionReason')?.value),
  };
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
