import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import { Address } from '../../ui/address.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { type SponsorshipStatementEntryKind, StatementEntriesDocument } from '../documents.ts';
import { formatEuro, formatUtcDate, UtcDate } from '../format.tsx';

const kindLabels: Record<SponsorshipStatementEntryKind, PlainKey> = {
  BEGAN: 'statements.began',
  EXTENDED: 'statements.extended',
  ENDED: 'statements.ended',
};
const kinds: readonly SponsorshipStatementEntryKind[] = ['BEGAN', 'EXTENDED', 'ENDED'];

/** Everything that happened to sponsorships in a month. */
export function StatementEntries({ month }: { month: string }) {
  const [kind, setKind] = useState<SponsorshipStatementEntryKind>();
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    StatementEntriesDocument,
    { month, kind: kind ?? null, page },
    { typenames: ['Redemption'] },
  );
  const choose = (value: string) => {
    setKind(kinds.find((name) => name === value));
    setPage(1);
  };
  return (
    <Card title={t('statements.entries')}>
      <div className="toolbar">
        <SelectField
          label={t('statements.event')}
          options={[
            { value: '', label: t('statements.all') },
            ...kinds.map((value) => ({ value, label: t(kindLabels[value]) })),
          ]}
          value={kind ?? ''}
          onValue={choose}
        />
      </div>
      <PagedTable
        caption={t('statements.entriesCaption')}
        answer={partOf(answer, ({ sponsorshipStatementEntries }) => sponsorshipStatementEntries)}
        page={page}
        pageSize={50}
        onPage={setPage}
        empty={<EmptyState title={t('statements.noEntries')} />}
        columns={[
          { title: t('statements.date'), cell: ({ at }) => <UtcDate at={at} /> },
          {
            title: t('statements.event'),
            cell: ({ kind: entryKind, endAfter }) => (
              <>
                {t(kindLabels[entryKind])}
                {endAfter !== null && (
                  <span className="hint">
                    {t('statements.newEnd', { date: formatUtcDate(endAfter) })}
                  </span>
                )}
              </>
            ),
          },
          {
            title: t('sponsorship.workspace'),
            cell: ({ redemptionId, organizationName }) => (
              <Link href={`/redemptions/${redemptionId}`}>{organizationName}</Link>
            ),
          },
          {
            title: t('sponsorship.redeemedBy'),
            narrow: 'hide',
            cell: ({ userEmail }) => <Address>{userEmail}</Address>,
          },
          {
            title: t('sponsorship.campaign'),
            narrow: 'hide',
            cell: ({ campaignName }) => campaignName,
          },
          {
            title: t('sponsorship.billing'),
            cell: ({ billingStatus }) =>
              billingStatus === null ? '–' : <BillingBadge status={billingStatus} />,
          },
          {
            title: t('sponsorship.amount'),
            align: 'end',
            cell: ({ billingAmount }) => formatEuro(billingAmount),
          },
        ]}
      />
    </Card>
  );
}
