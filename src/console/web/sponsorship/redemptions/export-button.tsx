import { useEffect, useRef, useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
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

type State = { done: number; total: number; fault?: Fault };

/** Everything that the filter finds as one CSV file, with a way to stop on the way. */
export function ExportButton({ filter }: { filter: RedemptionFilter }) {
  const [state, setState] = useState<State>();
  const walk = useRef<AbortController>(undefined);
  const toast = useToast();
  useEffect(() => () => walk.current?.abort(), []);

  const stop = () => {
    walk.current?.abort();
    setState(undefined);
  };
  const run = async () => {
    const controller = new AbortController();
    walk.current = controller;
    setState({ done: 0, total: 0 });
    const { csvHead, csvOf } = await import('./redemptions-csv.ts');
    const parts = [csvHead];
    let done = 0;
    const fault = await readRedemptions({
      filter,
      signal: controller.signal,
      onPage: (rows, total) => {
        parts.push(csvOf(rows));
        done += rows.length;
        setState({ done, total });
        return true;
      },
    });
    if (controller.signal.aborted) return;
    if (fault) return setState({ done, total: done, fault });
    setState(undefined);
    saveFile(
      `redemptions-${new Date().toISOString().slice(0, 10)}.csv`,
      'text/csv;charset=utf-8',
      parts,
    );
    toast(`${done.toLocaleString()} redemptions were exported`);
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
                  ? 'Looking …'
                  : `${state.done.toLocaleString()} of ${state.total.toLocaleString()} redemptions`}
              </p>
              <Progress
                label="Export"
                {...(state.total > 0 ? { value: Math.min(1, state.done / state.total) } : {})}
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
