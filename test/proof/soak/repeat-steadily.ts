import { setTimeout as sleep } from 'node:timers/promises';
import type { TrafficRecord } from './traffic-record.ts';

/** Work that starts every `everyMs`, unless `atOnceMax` of its runs are still in progress. */
export type TrafficActivity = { everyMs: number; atOnceMax?: number; work(): Promise<void> };

/** Repeats the work until the signal is aborted, and then waits for the runs in progress. */
export async function repeatSteadily(
  { everyMs, atOnceMax = 8, work }: TrafficActivity,
  record: TrafficRecord,
  signal: AbortSignal,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  for (let dueAt = performance.now(); !signal.aborted; dueAt += everyMs) {
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    // After a pause of the machine the missed runs are not made up for.
    else if (waitMs < -1_000) dueAt = performance.now();
    if (signal.aborted) break;
    if (inProgress.size >= atOnceMax) {
      record.skippedCount += 1;
      continue;
    }
    const promise = work()
      .catch((error: unknown) =>
        record.recordUnexpected(
          error instanceof Error
            ? `${error.message} ${String(error.cause ?? '')}`.trim()
            : String(error),
        ),
      )
      .finally(() => inProgress.delete(promise));
    inProgress.add(promise);
  }
  await Promise.all(inProgress);
}
