import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { Day } from '../day.tsx';
import { type RedemptionRowFragment, RedemptionsDocument } from '../documents.ts';
import { eur } from '../money.ts';
import { PastLastPage } from '../past-last-page.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type RedemptionListProps = {
  filter: RedemptionFilter;
  page: number;
  onPage: (page: number) => void;
  isNarrowed: boolean;
};
export type Chosen = ReadonlyMap<string, RedemptionRowFragment>;

const none: Chosen = new Map();

/** A page of what the filter finds. What is chosen stays chosen on the other pages. */
export function RedemptionList({ filter, page, onPage, isNarrowed }: RedemptionListProps) {
  const [chosen, setChosen] = useState(none);
  const list = useRef<HTMLDivElement>(null);
  const chooseNone = () => {
    setChosen(none);
    // The bar goes, and with it what had the focus.
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
          <Nothing isNarrowed={isNarrowed} />
        ) : items.length === 0 ? (
          <PastLastPage onPage={onPage} />
        ) : (
          <div ref={list} tabIndex={-1} className="sponsorship-list">
            <Card>
              <Table
                caption="Redemptions"
                rows={items}
                keyOf={({ id }) => id}
                selected={new Set(chosen.keys())}
                onSelect={(keys) => setChosen((before) => choose(keys, before, items))}
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
                    cell: ({ redeemedAt }) => <Day at={redeemedAt} />,
                  },
                  {
                    title: 'Ends',
                    align: 'end',
                    cell: ({ sponsoredUntil }) => <Day at={sponsoredUntil} />,
                  },
                  {
                    title: 'Billing',
                    cell: ({ billingStatus }) => <BillingBadge status={billingStatus} />,
                  },
                  {
                    title: 'Amount',
                    align: 'end',
                    cell: ({ billingAmount }) =>
                      billingAmount === null ? '–' : eur(billingAmount),
                  },
                ]}
              />
              <Pager page={page} pageSize={50} total={total} onPage={onPage} />
            </Card>
            <BulkBar
              filter={filter}
              total={total}
              chosen={chosen}
              onChoose={setChosen}
              onDone={chooseNone}
            />
          </div>
        )
      }
    </Loaded>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <EmptyState title="No redemption is like that">
      Take a filter away, or search for something else.
    </EmptyState>
  ) : (
    <EmptyState title="Nobody has redeemed anything yet">
      Hand out a link of one of your campaigns.
    </EmptyState>
  );
}

function choose(
  keys: ReadonlySet<string>,
  before: Chosen,
  shown: readonly RedemptionRowFragment[],
): Chosen {
  const known = new Map([...before, ...shown.map((row) => [row.id, row] as const)]);
  return new Map([...known].filter(([id]) => keys.has(id)));
}
