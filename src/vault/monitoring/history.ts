import type { Clock } from '../../platform/clock.ts';

const figureNames = [
  'cpuPercent',
  'memoryPercent',
  'storagePercent',
  'eventLoopDelayMs',
  'rssBytes',
  'databaseLatencyMs',
  'documentCount',
] as const;
type FigureName = (typeof figureNames)[number];
export type Figures = Partial<Record<FigureName, number | null>>;
/** Averages over some time from `at` on; null what was not sampled in it. */
type HistoryPoint = { at: string } & Record<FigureName, number | null>;

/**
 * Sums and counts in the order of the names. A day of the shortest steps takes 5 MB, of the usual
 * ones 0.4.
 */
type Step = { number: number; sums: number[]; counts: number[] };
type HistoryParts = { intervals: readonly number[]; clock: Clock };

export const historyMinutesMax = 24 * 60;
/** As many as a chart can show; the first and the last may be parts of a point. */
const pointsMax = 240;
const stepSecondsMin = 5;
const stepSecondsMax = 60;

/**
 * What the samples of the last day said, in steps as long as the shortest interval, so that its
 * size is bounded.
 */
export function createHistory({ intervals, clock }: HistoryParts) {
  const stepSeconds = Math.max(
    stepSecondsMin,
    Math.min(stepSecondsMax, ...intervals.filter((seconds) => seconds > 0)),
  );
  const stepsMax = Math.ceil((historyMinutesMax * 60) / stepSeconds);
  const steps: Step[] = [];
  const numberNow = () => Math.floor(clock().getTime() / 1000 / stepSeconds);

  return {
    stepSeconds,
    note(figures: Figures): void {
      const number = numberNow();
      let step = steps.at(-1);
      // A clock that was set back adds to the last step.
      if (!step || step.number < number) {
        step = emptyStep(number);
        steps.push(step);
      }
      while ((steps[0]?.number ?? number) <= number - stepsMax) steps.shift();
      for (const [index, name] of figureNames.entries()) {
        const value = figures[name] ?? null;
        if (value !== null) add(step, index, value, 1);
      }
    },
    /**
     * The last minutes, oldest first. Points begin at whole multiples of their length, so that they
     * stay the same when asked for again.
     */
    last(minutes: number): HistoryPoint[] {
      const stepsPerPoint = Math.ceil((minutes * 60) / stepSeconds / (pointsMax - 1));
      const first = numberNow() - Math.ceil((minutes * 60) / stepSeconds);
      const points = new Map<number, Step>();
      for (const { number, sums, counts } of steps) {
        if (number <= first) continue;
        const from = number - (number % stepsPerPoint);
        const point = points.get(from) ?? emptyStep(from);
        points.set(from, point);
        for (const [index, sum] of sums.entries()) add(point, index, sum, counts[index] ?? 0);
      }
      return [...points.values()].map((point) => tell(point, stepSeconds));
    },
  };
}

const emptyStep = (number: number): Step => ({
  number,
  sums: figureNames.map(() => 0),
  counts: figureNames.map(() => 0),
});

function add({ sums, counts }: Step, index: number, sum: number, count: number): void {
  sums[index] = (sums[index] ?? 0) + sum;
  counts[index] = (counts[index] ?? 0) + count;
}

function tell({ number, sums, counts }: Step, stepSeconds: number): HistoryPoint {
  const average = (name: FigureName): number | null => {
    const index = figureNames.indexOf(name);
    const count = counts[index] ?? 0;
    return count === 0 ? null : Math.round(((sums[index] ?? 0) / count) * 100) / 100;
  };
  return {
    at: new Date(number * stepSeconds * 1000).toISOString(),
    cpuPercent: average('cpuPercent'),
    memoryPercent: average('memoryPercent'),
    storagePercent: average('storagePercent'),
    eventLoopDelayMs: average('eventLoopDelayMs'),
    rssBytes: average('rssBytes'),
    databaseLatencyMs: average('databaseLatencyMs'),
    documentCount: average('documentCount'),
  };
}
