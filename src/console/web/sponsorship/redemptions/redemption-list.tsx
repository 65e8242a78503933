import { useRef, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import type { GraphQueryResult } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { EmptyState, FaultNote } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import type { RedemptionsQuery } from '../documents.ts';
import { redemptionColumns } from '../redemption-columns.tsx';
import { readRedemptions } from './read-redemptions.ts';
import { BillingDialog, ExtendDialog, type SelectedRedemptions } from './redemption-dialogs.tsx';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type RedemptionListProps = {
  answer: GraphQueryResult<RedemptionsQuery['redemptions']>;
  filter: RedemptionFilter;
  page: number;
  onPage: (page: number) => void;
  isFiltered: boolean;
};

/** The API changes at most this many redemptions in one request. */
const selectedMax = 500;
const emptySelection: SelectedRedemptions = new Map();

/** A page of the redemptions that match the filter. The selection is kept across pages. */
export function RedemptionList({ answer, filter, page, onPage, isFiltered }: RedemptionListProps) {
  const { workspace, redeemedBy, campaign, redeemed, ends, billing, amount } = redemptionColumns();
  const [selected, setSelected] = useState(emptySelection);
  const list = useRef<HTMLDivElement>(null);
  const clearSelection = () => {
    setSelected(emptySelection);
    // Clearing the selection removes the bar with the focused button, so the list takes the focus.
    list.current?.focus();
  };
  return (
    <div ref={list} tabIndex={-1}>
      <Card>
        <PagedTable
          caption={t('redemptions.redemptions')}
          answer={answer}
          page={page}
          pageSize={50}
          onPage={onPage}
          lines={10}
          empty={
            isFiltered ? (
              <EmptyState title={t('redemptions.noMatching')}>
                {t('redemptions.noMatchingHint')}
              </EmptyState>
            ) : (
              <EmptyState title={t('sponsorship.noRedemptions')}>
                {t('redemptions.shareLink')}
              </EmptyState>
            )
          }
          selection={{
            keys: new Set(selected.keys()),
            nameOf: ({ organizationName, campaignName }) => `${organizationName}, ${campaignName}`,
            onSelect: (keys, shown) =>
              setSelected((previous) => {
                const rows = [...previous, ...shown.map((row) => [row.id, row] as const)];
                return new Map(rows.filter(([id]) => keys.has(id)));
              }),
          }}
          columns={[
            workspace,
            redeemedBy,
            campaign,
            { ...redeemed, narrow: 'hide' },
            ends,
            billing,
            amount,
          ]}
        />
      </Card>
      {selected.size > 0 && (
        <BulkBar
          filter={filter}
          total={answer.data?.totalCount ?? 0}
          selected={selected}
          onSelect={setSelected}
          onDone={clearSelection}
        />
      )}
    </div>
  );
}

type BulkBarProps = {
  filter: RedemptionFilter;
  total: number;
  selected: SelectedRedemptions;
  onSelect: (selected: SelectedRedemptions) => void;
  onDone: () => void;
};

/** The actions on the selected redemptions. */
function BulkBar({ filter, total, selected, onSelect, onDone }: BulkBarProps) {
  const [isSelectingAll, setSelectingAll] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const selectAll = async () => {
    setSelectingAll(true);
    const nextSelection = new Map(selected);
    const readFault = await readRedemptions(filter, {
      signal: new AbortController().signal,
      onPage: (rows) => {
        for (const row of rows)
          if (nextSelection.size < selectedMax) nextSelection.set(row.id, row);
        return nextSelection.size < selectedMax;
      },
    });
    setSelectingAll(false);
    setFault(readFault);
    onSelect(nextSelection);
  };
  const isTooMany = selected.size > selectedMax;
  return (
    <section className="table-bulk row" aria-label={t('redemptions.selectedRedemptions')}>
      <p aria-live="polite">
        <strong>{t('redemptions.selectedCount', { count: selected.size })}</strong>
        {isTooMany && t('redemptions.tooMany', { selectedMax })}
      </p>
      {total > selected.size && selected.size < selectedMax && (
        <Button kind="quiet" busy={isSelectingAll} onClick={selectAll}>
          {total <= selectedMax
            ? t('redemptions.selectAll', { total })
            : t('redemptions.selectFirst', { selectedMax, total })}
        </Button>
      )}
      <Button kind="quiet" onClick={onDone}>
        {t('redemptions.clearSelection')}
      </Button>
      <BillingDialog selected={selected} disabled={isTooMany} onDone={onDone} />
      <ExtendDialog selected={selected} disabled={isTooMany} onDone={onDone} />
      <FaultNote fault={fault} />
    </section>
  );
}
