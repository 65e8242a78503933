import type { Clock } from '../../platform/clock.ts';

export const figureNames = ['cpuPercent', 'memoryPercent', 'storagePercent', 'eventLoopDelayMs', 'rssBytes', 'databaseLatencyMs', 'documentCount'] as const;
type FigureName = (typeof figureNames)[number];
export type Figures = Partial<Record<FigureName, number | null>>;
/** Averages over some time from `at` on; null what was not sampled in it. */
export type HistoryPoint = { at: string } & Record<FigureName, number | null>;

type Tally = { sum: number; count: number };
type Step = { number: number; tallies: Map<FigureName, Tally> };
type HistoryParts = { intervals: readonly number[]; clock: Clock };

export const historyMinutesMax = 24 * 60;
/** As many as a chart can show. */
const pointsMax = 240;
const stepSecondsMin = 5;
const stepSecondsMax = 60;

/** What the samples of the last day said, in steps as long as the shortest interval, so that its size is bounded. */
export function createHistory({ intervals, clock }: HistoryParts) {
  const stepSeconds = Math.max(stepSecondsMin, Math.min(stepSecondsMax, ...intervals.filter((seconds) => seconds > 0)));
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
        step = { number, tallies: new Map() };
        steps.push(step);
      }
      while ((steps[0]?.number ?? number) <= number - stepsMax) steps.shift();
      for (const name of figureNames) {
        const value = figures[name] ?? null;
        if (value !== null) add(step.tallies, name, { sum: value, count: 1 });
      }
    },
    /** The last minutes, oldest first. Points begin at whole multiples of their length, so that they stay the same when asked for again. */
    last(minutes: number): HistoryPoint[] {
      const stepsPerPoint = Math.ceil((minutes * 60) / stepSeconds / pointsMax);
      const first = numberNow() - Math.ceil((minutes * 60) / stepSeconds);
      const points = new Map<number, Map<FigureName, Tally>>();
      for (const { number, tallies } of steps) {
        if (number <= first) continue;
        const point = number - (number % stepsPerPoint);
        const joined = points.get(point) ?? new Map<FigureName, Tally>();
        points.set(point, joined);
        for (const [name, tally] of tallies) add(joined, name, tally);
      }
      return [...points].map(([number, tallies]) => tell(new Date(number * stepSeconds * 1000), tallies));
    },
  };
}

function add(tallies: Map<FigureName, Tally>, name: FigureName, { sum, count }: Tally): void {
  const tally = tallies.get(name) ?? { sum: 0, count: 0 };
  tallies.set(name, { sum: tally.sum + sum, count: tally.count + count });
}

function tell(at: Date, tallies: Map<FigureName, Tally>): HistoryPoint {
  const average = (name: FigureName): number | null => {
    const tally = tallies.get(name);
    return tally ? Math.round((tally.sum / tally.count) * 100) / 100 : null;
  };
  return {
    at: at.toISOString(),
    cpuPercent: average('cpuPercent'),
    memoryPercent: average('memoryPercent'),
    storagePercent: average('storagePercent'),
    eventLoopDelayMs: average('eventLoopDelayMs'),
    rssBytes: average('rssBytes'),
    databaseLatencyMs: average('databaseLatencyMs'),
    documentCount: average('documentCount'),
  };
}
