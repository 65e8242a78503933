import { percentile } from '../../bench/statistics.ts';

/**
 * The outcome of the traffic: the number of calls of each kind, the times of light calls, and
 * unexpected answers.
 */
export class TrafficRecord {
  readonly #counts = new Map<string, number>();
  readonly #unexpected = new Map<string, number>();
  #interval: number[] = [];
  answerCount = 0;
  serverErrorCount = 0;
  skippedCount = 0;

  recordAnswer(kind: string, status: number, expected: readonly number[], lightMs?: number): void {
    this.answerCount += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (status >= 500) this.serverErrorCount += 1;
    if (!expected.includes(status)) this.recordUnexpected(`${kind} answered ${status}`);
    if (lightMs !== undefined) this.#interval.push(lightMs);
  }

  recordUnexpected(what: string): void {
    this.#unexpected.set(what, (this.#unexpected.get(what) ?? 0) + 1);
  }

  /** The light calls since the previous call of this method. */
  takeInterval(): { calls: number; p50Ms: number; p99Ms: number } {
    const times = this.#interval;
    this.#interval = [];
    return { calls: times.length, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  }

  get counts(): [string, number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }

  get unexpected(): [string, number][] {
    return [...this.#unexpected];
  }
}
