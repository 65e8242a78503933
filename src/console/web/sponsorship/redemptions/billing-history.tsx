import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { RedemptionDocument } from '../documents.ts';
import { formatEuro } from '../money.ts';
import { UtcDateTime } from '../utc-date.tsx';
import { actorName } from './actor-name.ts';

/** Every change of the billing, newest first. Entries are never deleted. */
export function BillingHistory({ redemptionId }: { redemptionId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page });
  return (
    <Card title="Billing history">
      <Loaded answer={answer}>
        {({
          redemption: {
            billingChanges: { items, total },
          },
        }) =>
          total === 0 ? (
            <EmptyState title="No billing changes yet" />
          ) : (
            <>
              <Table
                caption="Billing changes"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Date', cell: ({ at }) => <UtcDateTime at={at} /> },
                  {
                    title: 'From',
                    cell: ({ statusBefore }) => <BillingBadge status={statusBefore} />,
                  },
                  { title: 'To', cell: ({ status }) => <BillingBadge status={status} /> },
                  {
                    title: 'Amount',
                    align: 'end',
                    cell: ({ amount }) => (amount === null ? '–' : formatEuro(amount)),
                  },
                  { title: 'Batch', cell: ({ batchId }) => batchId ?? '–' },
                  { title: 'By', cell: actorName },
                ]}
              />
              <Pager page={page} pageSize={10} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
