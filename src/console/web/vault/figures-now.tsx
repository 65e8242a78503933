import { Figure, Figures } from '../ui/figure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Progress } from '../ui/progress.tsx';
import { formatBytes, formatMilliseconds, formatPercent } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';

/** The latest samples. A figure that is not sampled is hidden. */
export function FiguresNow({ vault: { system } }: { vault: VaultNowQuery['vault'] }) {
  const { cpu, memory, disks, process, database, reembedding } = system ?? {};
  return (
    <>
      {typeof reembedding === 'number' && reembedding < 1 && (
        <Notice tone="busy">
          <p>Documents are being re-embedded with another model. They stay searchable.</p>
          <Progress value={reembedding} label="Documents re-embedded" />
        </Notice>
      )}
      <Figures>
        {cpu && (
          <Figure
            label="Processor"
            value={formatPercent(cpu.usagePercent)}
            hint={`of ${cpu.cores.toLocaleString()} cores`}
          />
        )}
        {memory && (
          <Figure
            label="Memory"
            value={formatPercent(memory.usagePercent)}
            hint={`${formatBytes(memory.usedBytes)} of ${formatBytes(memory.totalBytes)}`}
          />
        )}
        {distinctDisks(disks ?? []).map(({ path, usagePercent, freeBytes, label }) => (
          <Figure
            key={label}
            label={label}
            value={formatPercent(usagePercent)}
            hint={`${formatBytes(freeBytes)} free${path === null ? '' : ` at ${path}`}`}
          />
        ))}
        {process && (
          <Figure
            label="Event loop"
            value={formatMilliseconds(process.eventLoopDelayMs)}
            hint={`average delay; ${formatBytes(process.rssBytes)} in use`}
          />
        )}
        {database && (
          <Figure
            label="Vector database"
            value={database.latencyMs === null ? '–' : formatMilliseconds(database.latencyMs)}
            hint={
              database.documentCount === null
                ? 'response time'
                : `response time; ${database.documentCount.toLocaleString()} documents of all organizations`
            }
          />
        )}
      </Figures>
    </>
  );
}

type DiskSamples = NonNullable<NonNullable<VaultNowQuery['vault']['system']>['disks']>;

/** Directories on the same disk have the same samples, so each disk is shown once. */
function distinctDisks(disks: DiskSamples) {
  const distinct = [
    ...new Map(disks.map((disk) => [`${disk.totalBytes} ${disk.freeBytes}`, disk])).values(),
  ];
  return distinct.map((disk, index) => ({
    ...disk,
    label: distinct.length > 1 ? `Disk ${index + 1}` : 'Disk',
  }));
}
