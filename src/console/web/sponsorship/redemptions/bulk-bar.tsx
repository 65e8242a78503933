import { useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { BillingDialog } from './billing-dialog.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { readRedemptions } from './read-redemptions.ts';
import type { SelectedRedemptions } from './selected-redemptions.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type BulkBarProps = {
  filter: RedemptionFilter;
  total: number;
  selected: SelectedRedemptions;
  onSelect: (selected: SelectedRedemptions) => void;
  onDone: () => void;
};

/** The API changes at most this many redemptions in one request. */
const selectedMax = 500;

/** The actions on the selected redemptions. */
export function BulkBar({ filter, total, selected, onSelect, onDone }: BulkBarProps) {
  const [isSelectingAll, setSelectingAll] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  if (selected.size === 0) return null;
  const selectAll = async () => {
    setSelectingAll(true);
    const nextSelection = new Map(selected);
    const readFault = await readRedemptions({
      filter,
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
    <section className="sponsorship-bulk" aria-label="Selected redemptions">
      <p aria-live="polite">
        <strong>{selected.size.toLocaleString()} selected</strong>
        {isTooMany && ` – at most ${selectedMax} can be changed at once. Select fewer.`}
      </p>
      {total > selected.size && selected.size < selectedMax && (
        <Button kind="quiet" busy={isSelectingAll} onClick={selectAll}>
          {total <= selectedMax
            ? `Select all ${total.toLocaleString()}`
            : `Select the first ${selectedMax} of ${total.toLocaleString()}`}
        </Button>
      )}
      <Button kind="quiet" onClick={onDone}>
        Clear selection
      </Button>
      <BillingDialog selected={selected} disabled={isTooMany} onDone={onDone} />
      <ExtendDialog selected={selected} disabled={isTooMany} onDone={onDone} />
      {fault && <FaultNote fault={fault} />}
    </section>
  );
}
