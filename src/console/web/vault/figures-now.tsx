import { Figure, Figures } from '../ui/figure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Progress } from '../ui/progress.tsx';
import { bytesOf, millisecondsOf, percentOf } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';

/** The last samples. What is not sampled is not shown. */
export function FiguresNow({ vault: { system } }: { vault: VaultNowQuery['vault'] }) {
  const { cpu, memory, disks, process, database, reembedding } = system ?? {};
  return (
    <>
      {typeof reembedding === 'number' && reembedding < 1 && (
        <Notice tone="busy">
          <p>Documents are being moved to another embedding. They can be searched all the while.</p>
          <Progress value={reembedding} label="Documents moved" />
        </Notice>
      )}
      <Figures>
        {cpu && (
          <Figure
            label="Processor"
            value={percentOf(cpu.usagePercent)}
            hint={`of ${cpu.cores.toLocaleString()} cores`}
          />
        )}
        {memory && (
          <Figure
            label="Memory"
            value={percentOf(memory.usagePercent)}
            hint={`${bytesOf(memory.usedBytes)} of ${bytesOf(memory.totalBytes)}`}
          />
        )}
        {disksOf(disks ?? []).map(({ path, usagePercent, freeBytes, label }) => (
          <Figure
            key={label}
            label={label}
            value={percentOf(usagePercent)}
            hint={`${bytesOf(freeBytes)} free${path === null ? '' : ` at ${path}`}`}
          />
        ))}
        {process && (
          <Figure
            label="Event loop"
            value={millisecondsOf(process.eventLoopDelayMs)}
            hint={`late on average; ${bytesOf(process.rssBytes)} in use`}
          />
        )}
        {database && (
          <Figure
            label="Database of vectors"
            value={database.latencyMs === null ? '–' : millisecondsOf(database.latencyMs)}
            hint={
              database.documentCount === null
                ? 'to answer'
                : `to answer; ${database.documentCount.toLocaleString()} documents of all organizations`
            }
          />
        )}
      </Figures>
    </>
  );
}

type Disks = NonNullable<NonNullable<VaultNowQuery['vault']['system']>['disks']>;

/** Directories on one disk are sampled together and have the same figures; it is shown once. */
function disksOf(disks: Disks) {
  const distinct = [
    ...new Map(disks.map((disk) => [`${disk.totalBytes} ${disk.freeBytes}`, disk])).values(),
  ];
  return distinct.map((disk, index) => ({
    ...disk,
    label: distinct.length > 1 ? `Disk ${index + 1}` : 'Disk',
  }));
}
