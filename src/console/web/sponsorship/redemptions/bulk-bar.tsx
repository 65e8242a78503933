import { useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { BillDialog } from './bill-dialog.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { readRedemptions } from './read-redemptions.ts';
import type { Chosen } from './redemption-list.tsx';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type BulkBarProps = {
  filter: RedemptionFilter;
  total: number;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  onDone: () => void;
};

/** The graph changes as many together, all or none. */
const chosenMax = 500;

/** What can be done with the chosen rows. */
export function BulkBar({ filter, total, chosen, onChoose, onDone }: BulkBarProps) {
  const [isGathering, setGathering] = useState(false);
  const [fault, setFault] = useState<Fault>();
  if (chosen.size === 0) return null;
  const gather = async () => {
    setGathering(true);
    const all = new Map(chosen);
    const refused = await readRedemptions({
      filter,
      signal: new AbortController().signal,
      onPage: (rows) => {
        for (const row of rows) if (all.size < chosenMax) all.set(row.id, row);
        return all.size < chosenMax;
      },
    });
    setGathering(false);
    setFault(refused);
    onChoose(all);
  };
  const isTooMany = chosen.size > chosenMax;
  return (
    <section className="sponsorship-bulk" aria-label="Chosen redemptions">
      <p aria-live="polite">
        <strong>{chosen.size.toLocaleString()} chosen</strong>
        {isTooMany && ` – at most ${chosenMax} can be changed together.`}
      </p>
      {total > chosen.size && chosen.size < chosenMax && (
        <Button kind="quiet" busy={isGathering} onClick={gather}>
          {total <= chosenMax
            ? `Choose all ${total.toLocaleString()}`
            : `Choose the first ${chosenMax} of ${total.toLocaleString()}`}
        </Button>
      )}
      <Button kind="quiet" onClick={onDone}>
        Choose none
      </Button>
      <BillDialog chosen={chosen} disabled={isTooMany} onDone={onDone} />
      <ExtendDialog chosen={chosen} disabled={isTooMany} onDone={onDone} />
      {fault && <FaultNote fault={fault} />}
    </section>
  );
}
