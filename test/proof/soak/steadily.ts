import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.ts';

/**
 * Something that is done at a steady rate, whatever the answers take, unless so many are under way.
 */
export type Activity = { everyMs: number; atOnceMax?: number; work(): Promise<void> };

/** Until the signal; then what is under way ends. */
export async function steadily(
  { everyMs, atOnceMax = 8, work }: Activity,
  book: Book,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (let dueAt = performance.now(); !signal.aborted; dueAt += everyMs) {
    const wait = dueAt - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined);
    // A machine that stood still does not make up for it all at once.
    else if (wait < -1_000) dueAt = performance.now();
    if (signal.aborted) break;
    if (underWay.size >= atOnceMax) {
      book.skipped += 1;
      continue;
    }
    const doing = work()
      .catch((error: unknown) =>
        book.surprise(
          error instanceof Error
            ? `${error.message} ${String(error.cause ?? '')}`.trim()
            : String(error),
        ),
      )
      .finally(() => underWay.delete(doing));
    underWay.add(doing);
  }
  await Promise.all(underWay);
}
