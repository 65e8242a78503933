import { EmptyState } from '../ui/empty-state.tsx';
import { formatMilliseconds, formatPercent } from './amounts.ts';
import type { VaultNowQuery } from './documents.ts';
import { Timeline } from './timeline.tsx';

type VaultFigures = VaultNowQuery['vault']['figures'];
type FigureKind = {
  key: Exclude<keyof VaultFigures[number], 'at'>;
  title: string;
  format: (value: number) => string;
  maximum?: number;
};

const periodMsMin = 120_000;

const figureKinds: readonly FigureKind[] = [
  { key: 'cpuPercent', title: 'Processor', format: formatPercent, maximum: 100 },
  { key: 'memoryPercent', title: 'Memory', format: formatPercent, maximum: 100 },
  { key: 'storagePercent', title: 'Fullest disk', format: formatPercent, maximum: 100 },
  { key: 'eventLoopDelayMs', title: 'Event loop delay', format: formatMilliseconds },
  {
    key: 'databaseLatencyMs',
    title: 'Vector database response time',
    format: formatMilliseconds,
  },
  {
    key: 'documentCount',
    title: 'Documents of all organizations',
    format: (count) => Math.round(count).toLocaleString(),
  },
];

export function FiguresOverTime({ figures, minutes }: { figures: VaultFigures; minutes: number }) {
  if (figures.length === 0)
    return (
      <EmptyState title="No figures yet">Figures are collected while the vault runs.</EmptyState>
    );
  const untilMs = Date.now();
  // For a vault that has just started, the chart begins at its first sample instead of showing an
  // empty period.
  const firstMs = Math.min(...figures.map(({ at }) => Date.parse(at)));
  const fromMs = Math.max(untilMs - minutes * 60_000, Math.min(firstMs, untilMs - periodMsMin));
  return (
    <div className="vault-timelines">
      {figureKinds.map(({ key, title, format, maximum }) => {
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
            {...(maximum && { maximum })}
          />
        );
      })}
    </div>
  );
}
