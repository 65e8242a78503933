import { useEffect, useRef, useState } from 'react';
import { queryUncached } from '../../graph/client.ts';
import type { Fault } from '../../graph/fault.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { AuditTotalDocument, type AuditTotalQueryVariables } from './documents.ts';
import { csvFormat, type Format, jsonlFormat } from './export-formats.ts';
import { readLog } from './read-log.ts';

type State =
  | { step: 'idle'; fault?: Fault }
  | { step: 'counting' }
  | { step: 'walking'; done: number; total: number };

/** All that the filter finds, as a file. */
export function AuditExport({ variables }: { variables: AuditTotalQueryVariables }) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const walk = useRef<AbortController>(undefined);
  useEffect(() => () => walk.current?.abort(), []);

  const save = async (format: Format) => {
    const controller = new AbortController();
    const { signal } = controller;
    walk.current = controller;
    setState({ step: 'counting' });
    const { data, fault } = await queryUncached(AuditTotalDocument, variables);
    if (signal.aborted) return;
    if (fault) return setState({ step: 'idle', fault });
    const parts = [format.head];
    let done = 0;
    const refused = await readLog({
      variables,
      signal,
      onPage: (entries) => {
        parts.push(format.rowsOf(entries));
        done += entries.length;
        setState({ step: 'walking', done, total: data.auditEntries.total });
      },
    });
    if (signal.aborted) return;
    setState({ step: 'idle', ...(refused ? { fault: refused } : {}) });
    if (!refused) saveFile(format.name, format.type, parts);
  };

  const cancel = () => {
    walk.current?.abort();
    setState({ step: 'idle' });
  };

  if (state.step !== 'idle') {
    return (
      <div className="settings-export">
        <Progress
          label="Export"
          {...(state.step === 'walking' ? { value: state.done / Math.max(1, state.total) } : {})}
        />
        <span className="quiet">
          {state.step === 'walking'
            ? `${state.done.toLocaleString()} of ${state.total.toLocaleString()}`
            : 'Counting…'}
        </span>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    );
  }
  return (
    <>
      {state.fault && <FaultNote fault={state.fault} />}
      <div className="settings-export">
        <Button onClick={async () => save(await csvFormat())}>
          <Icon name="download" />
          Export as CSV
        </Button>
        <Button onClick={() => save(jsonlFormat)}>
          <Icon name="download" />
          Export as JSONL
        </Button>
      </div>
    </>
  );
}
