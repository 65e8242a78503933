import { useEffect, useRef, useState } from 'react';
import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { AuditTotalDocument, type AuditTotalQueryVariables } from './documents.ts';
import { csvFormat, type ExportFormat, jsonlFormat } from './export-formats.ts';
import { readLog } from './read-log.ts';

type ExportState =
  | { step: 'idle'; fault?: ApiFault }
  | { step: 'counting' }
  | { step: 'reading'; readCount: number; total: number };

/** Exports all entries that match the filter. */
export function AuditExport({ variables }: { variables: AuditTotalQueryVariables }) {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const runningExport = useRef<AbortController>(undefined);
  useEffect(() => () => runningExport.current?.abort(), []);

  const save = async (format: ExportFormat) => {
    const controller = new AbortController();
    const { signal } = controller;
    runningExport.current = controller;
    setState({ step: 'counting' });
    const { data, fault } = await queryUncached(AuditTotalDocument, variables);
    if (signal.aborted) return;
    if (fault) return setState({ step: 'idle', fault });
    const chunks = [format.header];
    let readCount = 0;
    const readFault = await readLog({
      variables,
      signal,
      onPage: (entries) => {
        chunks.push(format.formatRows(entries));
        readCount += entries.length;
        setState({ step: 'reading', readCount, total: data.auditEntries.total });
      },
    });
    if (signal.aborted) return;
    setState({ step: 'idle', ...(readFault ? { fault: readFault } : {}) });
    if (!readFault) saveFile(format.name, format.type, chunks);
  };

  const cancel = () => {
    runningExport.current?.abort();
    setState({ step: 'idle' });
  };

  if (state.step !== 'idle') {
    return (
      <div className="settings-export">
        <Progress
          label="Export"
          {...(state.step === 'reading'
            ? { value: state.readCount / Math.max(1, state.total) }
            : {})}
        />
        <span className="quiet">
          {state.step === 'reading'
            ? `${state.readCount.toLocaleString()} of ${state.total.toLocaleString()}`
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
