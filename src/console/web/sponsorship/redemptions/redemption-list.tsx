import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { type RedemptionRowFragment, RedemptionsDocument } from '../documents.ts';
import { formatEuro } from '../money.ts';
import { PastLastPage } from '../past-last-page.tsx';
import { UtcDate } from '../utc-date.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { SelectedRedemptions } from './selected-redemptions.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type RedemptionListProps = {
  filter: RedemptionFilter;
  page: number;
  onPage: (page: number) => void;
  isFiltered: boolean;
};

const emptySelection: SelectedRedemptions = new Map();

/** A page of the redemptions that match the filter. The selection is kept across pages. */
export function RedemptionList({ filter, page, onPage, isFiltered }: RedemptionListProps) {
  const [selected, setSelected] = useState(emptySelection);
  const list = useRef<HTMLDivElement>(null);
  const clearSelection = () => {
    setSelected(emptySelection);
    // Clearing the selection removes the bar with the focused button, so the list takes the focus.
    list.current?.focus();
  };
  const answer = useGraphQuery(
    RedemptionsDocument,
    { ...filter, page },
    { typenames: ['Redemption'] },
  );
  return (
    <Loaded answer={answer} lines={10}>
      {({ redemptions: { items, total } }) =>
        total === 0 ? (
          <NoRedemptions isFiltered={isFiltered} />
        ) : items.length === 0 ? (
          <PastLastPage onPage={onPage} />
        ) : (
          <div ref={list} tabIndex={-1} className="sponsorship-list">
            <Card>
              <Table
                caption="Redemptions"
                rows={items}
                keyOf={({ id }) => id}
                selected={new Set(selected.keys())}
                onSelect={(keys) =>
                  setSelected((previous) => updateSelection(keys, previous, items))
                }
                columns={[
                  {
                    title: 'Workspace',
                    cell: ({ id, organizationName }) => (
                      <Link href={`/redemptions/${id}`}>{organizationName}</Link>
                    ),
                  },
                  { title: 'Redeemed by', cell: ({ userEmail }) => userEmail },
                  { title: 'Campaign', narrow: 'hide', cell: ({ campaignName }) => campaignName },
                  {
                    title: 'Redeemed',
                    align: 'end',
                    narrow: 'hide',
                    cell: ({ redeemedAt }) => <UtcDate at={redeemedAt} />,
                  },
                  {
                    title: 'Ends',
                    align: 'end',
                    cell: ({ sponsoredUntil }) => <UtcDate at={sponsoredUntil} />,
                  },
                  {
                    title: 'Billing',
                    cell: ({ billingStatus }) => <BillingBadge status={billingStatus} />,
                  },
                  {
                    title: 'Amount',
                    align: 'end',
                    cell: ({ billingAmount }) =>
                      billingAmount === null ? '–' : formatEuro(billingAmount),
                  },
                ]}
              />
              <Pager page={page} pageSize={50} total={total} onPage={onPage} />
            </Card>
            <BulkBar
              filter={filter}
              total={total}
              selected={selected}
              onSelect={setSelected}
              onDone={clearSelection}
            />
          </div>
        )
      }
    </Loaded>
  );
}

function NoRedemptions({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching redemptions">
      Remove a filter, or change the search text.
    </EmptyState>
  ) : (
    <EmptyState title="No redemptions yet">Share a link of one of your campaigns.</EmptyState>
  );
}

function updateSelection(
  keys: ReadonlySet<string>,
  previous: SelectedRedemptions,
  shown: readonly RedemptionRowFragment[],
): SelectedRedemptions {
  const rowsById = new Map([...previous, ...shown.map((row) => [row.id, row] as const)]);
  return new Map([...rowsById].filter(([id]) => keys.has(id)));
}
