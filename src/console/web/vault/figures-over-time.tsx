import { EmptyState } from '../ui/empty-state.tsx';
import { millisecondsOf, percentOf } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';
import { Timeline } from './timeline.tsx';

type Figures = VaultNowQuery['vault']['figures'];
type Kind = {
  key: Exclude<keyof Figures[number], 'at'>;
  title: string;
  format: (value: number) => string;
  top?: number;
};

const spanMsMin = 120_000;

const kinds: readonly Kind[] = [
  { key: 'cpuPercent', title: 'Processor', format: percentOf, top: 100 },
  { key: 'memoryPercent', title: 'Memory', format: percentOf, top: 100 },
  { key: 'storagePercent', title: 'Fullest disk', format: percentOf, top: 100 },
  { key: 'eventLoopDelayMs', title: 'Delay of the event loop', format: millisecondsOf },
  {
    key: 'databaseLatencyMs',
    title: 'Database of vectors, time to answer',
    format: millisecondsOf,
  },
  {
    key: 'documentCount',
    title: 'Documents of all organizations',
    format: (count) => Math.round(count).toLocaleString(),
  },
];

export function FiguresOverTime({ figures, minutes }: { figures: Figures; minutes: number }) {
  if (figures.length === 0)
    return <EmptyState title="No figures yet">They gather while the vault runs.</EmptyState>;
  const untilMs = Date.now();
  // A vault that has just started fills the picture, instead of a sliver of it.
  const firstMs = Math.min(...figures.map(({ at }) => Date.parse(at)));
  const fromMs = Math.max(untilMs - minutes * 60_000, Math.min(firstMs, untilMs - spanMsMin));
  return (
    <div className="vault-timelines">
      {kinds.map(({ key, title, format, top }) => {
        const points = figures.flatMap((figure) => {
          const value = figure[key];
          return value === null ? [] : [{ atMs: Date.parse(figure.at), value }];
        });
        if (points.length === 0) return null;
        return (
          <Timeline
            key={key}
            title={title}
            points={points}
            fromMs={fromMs}
            untilMs={untilMs}
            format={format}
            {...(top && { top })}
          />
        );
      })}
    </div>
  );
}
