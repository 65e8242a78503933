import type { Clock } from '../../platform/clock.ts';

const measurementNames = [
  'cpuPercent',
  'memoryPercent',
  'storagePercent',
  'eventLoopDelayMs',
  'rssBytes',
  'databaseLatencyMs',
  'documentCount',
] as const;
type MeasurementName = (typeof measurementNames)[number];
export type Measurements = Partial<Record<MeasurementName, number | null>>;
/** Averages over a period that begins at `at`; null for values that were not sampled in it. */
type HistoryPoint = { at: string } & Record<MeasurementName, number | null>;

/**
 * Sums and counts in the order of `measurementNames`. A day takes 5 MB with the shortest steps and
 * 0.4 MB with the default ones.
 */
type HistoryStep = { number: number; sums: number[]; counts: number[] };
type HistoryOptions = { intervals: readonly number[]; clock: Clock };

export const historyMinutesMax = 24 * 60;
/** The number of points that a chart can show. The first and the last can be incomplete. */
const pointsMax = 240;
const stepSecondsMin = 5;
const stepSecondsMax = 60;

/**
 * Keeps the samples of the last day, combined in steps as long as the shortest interval, so that its
 * size is limited.
 */
export function createHistory({ intervals, clock }: HistoryOptions) {
  const stepSeconds = Math.max(
    stepSecondsMin,
    Math.min(stepSecondsMax, ...intervals.filter((seconds) => seconds > 0)),
  );
  const stepsMax = Math.ceil((historyMinutesMax * 60) / stepSeconds);
  const steps: HistoryStep[] = [];
  const numberNow = () => Math.floor(clock().getTime() / 1000 / stepSeconds);

  return {
    stepSeconds,
    record(measurements: Measurements): void {
      const number = numberNow();
      let step = steps.at(-1);
      // If the clock was set back, samples are added to the last step.
      if (!step || step.number < number) {
        step = emptyStep(number);
        steps.push(step);
      }
      while ((steps[0]?.number ?? number) <= number - stepsMax) steps.shift();
      for (const [index, name] of measurementNames.entries()) {
        const value = measurements[name] ?? null;
        if (value !== null) add(step, index, value, 1);
      }
    },
    /**
     * The points of the last minutes, oldest first. Points begin at multiples of their length, so that
     * repeated requests return the same points.
     */
    last(minutes: number): HistoryPoint[] {
      const stepsPerPoint = Math.ceil((minutes * 60) / stepSeconds / (pointsMax - 1));
      const first = numberNow() - Math.ceil((minutes * 60) / stepSeconds);
      const points = new Map<number, HistoryStep>();
      for (const { number, sums, counts } of steps) {
        if (number <= first) continue;
        const from = number - (number % stepsPerPoint);
        const point = points.get(from) ?? emptyStep(from);
        points.set(from, point);
        for (const [index, sum] of sums.entries()) add(point, index, sum, counts[index] ?? 0);
      }
      return [...points.values()].map((point) => toHistoryPoint(point, stepSeconds));
    },
  };
}

const emptyStep = (number: number): HistoryStep => ({
  number,
  sums: measurementNames.map(() => 0),
  counts: measurementNames.map(() => 0),
});

function add({ sums, counts }: HistoryStep, index: number, sum: number, count: number): void {
  sums[index] = (sums[index] ?? 0) + sum;
  counts[index] = (counts[index] ?? 0) + count;
}

function toHistoryPoint({ number, sums, counts }: HistoryStep, stepSeconds: number): HistoryPoint {
  const average = (name: MeasurementName): number | null => {
    const index = measurementNames.indexOf(name);
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
