import { percentile } from '../../bench/statistics.ts';

/**
 * What came of the traffic: how many calls of each kind, how long the light ones took, and whatever
 * nobody expected.
 */
export class Book {
  readonly #counts = new Map<string, number>();
  readonly #surprises = new Map<string, number>();
  #interval: number[] = [];
  answered = 0;
  serverFaults = 0;
  skipped = 0;

  note(kind: string, status: number, expected: readonly number[], lightMs?: number): void {
    this.answered += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (status >= 500) this.serverFaults += 1;
    if (!expected.includes(status)) this.surprise(`${kind} answered ${status}`);
    if (lightMs !== undefined) this.#interval.push(lightMs);
  }

  surprise(what: string): void {
    this.#surprises.set(what, (this.#surprises.get(what) ?? 0) + 1);
  }

  /** The light calls since the last time. */
  takeInterval(): { calls: number; p50Ms: number; p99Ms: number } {
    const times = this.#interval;
    this.#interval = [];
    return { calls: times.length, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  }

  get counts(): [string, number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }

  get surprises(): [string, number][] {
    return [...this.#surprises];
  }
}
