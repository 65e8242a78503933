import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
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
        title={loaded?.organizationName ?? 'Redemption'}
        back={{ href: '/redemptions', label: 'Redemptions' }}
        lead={loaded && `Redeemed by ${loaded.userEmail}`}
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
              <FactCard title="Sponsorship" facts={sponsorshipFacts(redemption)} />
              <FactCard title="Billing" facts={billingFacts(redemption)} />
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
    Campaign: <Link href={`/campaigns/${redemption.campaignId}`}>{redemption.campaignName}</Link>,
    Link: redemption.linkName,
    Redeemed: <UtcDateTime at={redemption.redeemedAt} />,
    ...(Date.parse(sponsoredUntil) > Date.now() ? { Ends: end } : { Ended: end }),
    'Initial duration': formatMonths(redemption.durationMonths),
    'Seats used':
      includedSeats === null ? `${usedSeats}, no limit` : `${usedSeats} of ${includedSeats}`,
    Extended: extendedUntil === null ? 'Never' : <UtcDateTime at={extendedUntil} />,
    'Reason for the extension': redemption.extensionReason,
  };
};

const billingFacts = (redemption: Redemption) => {
  const { billingStatus, billingAmount, billedAt, billingBatchId, pricing } = redemption;
  return {
    Status: <BillingBadge status={billingStatus} />,
    Amount: formatEuro(billingAmount),
    Billed: billedAt === null ? 'Not yet' : <UtcDateTime at={billedAt} />,
    'Batch or invoice': billingBatchId ?? '–',
    'Price at redemption': pricing === null ? 'None' : formatPrice(pricing),
  };
};

const dateColumn = { title: 'Date', cell: ({ at }: { at: string }) => <UtcDateTime at={at} /> };

type ChangeActor = {
  actorUser: { email: string } | null;
  actorUserId: string | null;
  actorKeyId: string | null;
};

/** The name of the person or key behind a change, as far as it is still known. */
const actorColumn = {
  title: 'By',
  cell: ({ actorUser, actorUserId, actorKeyId }: ChangeActor) => {
    if (actorUser) return actorUser.email;
    if (actorKeyId !== null) return 'An organization key';
    return actorUserId === null ? 'Atrium' : 'A former member';
  },
};

/** Every change of the billing, newest first. Entries are never deleted. */
function BillingHistory({ redemptionId }: { redemptionId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page });
  return (
    <Card title="Billing history">
      <PagedTable
        caption="Billing changes"
        answer={partOf(answer, ({ redemption }) => redemption.billingChanges)}
        page={page}
        pageSize={10}
        onPage={setPage}
        empty={<EmptyState title="No billing changes yet" />}
        columns={[
          dateColumn,
          { title: 'From', cell: ({ statusBefore }) => <BillingBadge status={statusBefore} /> },
          { title: 'To', cell: ({ status }) => <BillingBadge status={status} /> },
          { title: 'Amount', align: 'end', cell: ({ amount }) => formatEuro(amount) },
          { title: 'Batch', cell: ({ batchId }) => batchId ?? '–' },
          actorColumn,
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
    <Card title="Extensions">
      <PagedTable
        caption="Extensions"
        answer={partOf(answer, ({ auditEntries: { nodes, totalCount } }) => ({
          totalCount,
          nodes: nodes.map((entry) => ({ ...entry, ...parseExtension(entry.changes) })),
        }))}
        page={page}
        pageSize={10}
        onPage={setPage}
        lines={2}
        empty={<EmptyState title="No extensions yet" />}
        columns={[
          dateColumn,
          { title: 'From', cell: ({ from }) => from && <UtcDate at={from} /> },
          { title: 'To', cell: ({ to }) => to && <UtcDate at={to} /> },
          { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
          actorColumn,
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
