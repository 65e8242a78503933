import { useEffect, useRef, useState } from 'react';
import type { ApiFault } from '../graph/fault.ts';
import type { ReadRows } from '../graph/read-pages.ts';
import { t } from '../texts/text.ts';
import { saveFile } from './save-file.ts';
import { Progress } from './status.tsx';

export type ExportFormat<Row> = {
  name: string;
  type: string;
  header: string;
  formatRows: (rows: readonly Row[]) => string;
};

type ExportState = { readCount: number; total: number; fault?: ApiFault };

/** Exports all rows that `read` reads as one file. The export can be cancelled. */
export function useExport<Row>(read: (input: ReadRows<Row>) => Promise<ApiFault | undefined>) {
  const [state, setState] = useState<ExportState>();
  const runningExport = useRef<AbortController>(undefined);
  useEffect(() => () => runningExport.current?.abort(), []);

  /** Resolves with the number of rows when the file was saved. */
  const run = async ({ name, type, header, formatRows }: ExportFormat<Row>) => {
    const controller = new AbortController();
    const { signal } = controller;
    runningExport.current = controller;
    setState({ readCount: 0, total: 0 });
    const chunks = [header];
    let readCount = 0;
    const fault = await read({
      signal,
      onPage: (rows, total) => {
        chunks.push(formatRows(rows));
        readCount += rows.length;
        setState({ readCount, total });
        return true;
      },
    });
    if (signal.aborted) return undefined;
    setState(fault && { readCount, total: readCount, fault });
    if (fault) return undefined;
    saveFile(name, type, chunks);
    return readCount;
  };
  const cancel = () => {
    runningExport.current?.abort();
    setState(undefined);
  };
  return { state, run, cancel };
}

export const ExportProgress = ({
  state: { readCount, total },
  noun = '',
}: {
  state: ExportState;
  noun?: string;
}) => (
  <>
    <Progress
      label={t('ui.export')}
      value={total > 0 ? Math.min(1, readCount / total) : undefined}
    />
    <span aria-live="polite">
      {total === 0 ? t('ui.counting') : t('ui.exportProgress', { readCount, total, noun })}
    </span>
  </>
);
