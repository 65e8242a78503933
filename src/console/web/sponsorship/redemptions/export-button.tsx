import { useEffect, useRef, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toast.tsx';
import { readRedemptions } from './read-redemptions.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

type ExportState = { readCount: number; total: number; fault?: ApiFault };

/** Exports all redemptions that match the filter as one CSV file. The export can be cancelled. */
export function ExportButton({ filter }: { filter: RedemptionFilter }) {
  const [state, setState] = useState<ExportState>();
  const runningExport = useRef<AbortController>(undefined);
  const toast = useToast();
  useEffect(() => () => runningExport.current?.abort(), []);

  const stop = () => {
    runningExport.current?.abort();
    setState(undefined);
  };
  const run = async () => {
    const controller = new AbortController();
    runningExport.current = controller;
    setState({ readCount: 0, total: 0 });
    const { csvHeader, toCsvRows } = await import('./redemptions-csv.ts');
    const chunks = [csvHeader];
    let readCount = 0;
    const fault = await readRedemptions({
      filter,
      signal: controller.signal,
      onPage: (rows, total) => {
        chunks.push(toCsvRows(rows));
        readCount += rows.length;
        setState({ readCount, total });
        return true;
      },
    });
    if (controller.signal.aborted) return;
    if (fault) return setState({ readCount, total: readCount, fault });
    setState(undefined);
    saveFile(
      `redemptions-${new Date().toISOString().slice(0, 10)}.csv`,
      'text/csv;charset=utf-8',
      chunks,
    );
    toast(`${readCount.toLocaleString()} redemptions were exported`);
  };

  return (
    <>
      <Button onClick={run}>
        <Icon name="download" /> Export CSV
      </Button>
      <Dialog title="Export" open={state !== undefined} onClose={stop}>
        {state?.fault ? (
          <FaultNote fault={state.fault} onRetry={run} />
        ) : (
          state && (
            <>
              <p aria-live="polite">
                {state.total === 0
                  ? 'Counting…'
                  : `${state.readCount.toLocaleString()} of ${state.total.toLocaleString()} redemptions`}
              </p>
              <Progress
                label="Export"
                {...(state.total > 0 ? { value: Math.min(1, state.readCount / state.total) } : {})}
              />
            </>
          )
        )}
        <FormButtons>
          <Button onClick={stop}>Cancel</Button>
        </FormButtons>
      </Dialog>
    </>
  );
}
