import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * The nice values of threads and processes. When the processors are busy, the thread that answers
 * the requests of the API goes first (0), then the vault, the vector database and V8's own threads,
 * then the work that no request waits for, and last such work of an organization that uses more
 * than others.
 */
export const niceValues = { part: 5, background: 10, last: 19 };

/** Lowers the priority of this thread. Threads and processes that it starts inherit it. */
export function lowerThreadPriority(kind: 'part' | 'background'): void {
  // The link names the process and the thread: 4711/task/4713.
  onLinux(() => lower(basename(readlinkSync('/proc/thread-self')), niceValues[kind]));
}

/**
 * Lowers the priority of the threads in which V8 collects garbage and compiles for all threads of
 * this process. Whoever waits for them helps them, so they need not go first.
 */
export function lowerV8Priority(): void {
  onLinux(() => {
    for (const threadId of readdirSync('/proc/self/task'))
      if (readFileSync(`/proc/self/task/${threadId}/comm`, 'utf8') === 'V8Worker\n')
        lower(threadId, niceValues.part);
  });
}

/** Lowers the priority of all threads of another process to that of work that no request waits for. */
export function lowerProcessPriority(processId: number): void {
  onLinux(() => {
    for (const threadId of readdirSync(`/proc/${processId}/task`))
      lower(threadId, niceValues.background);
  });
}

/** The whole program may have been started with a lower priority, which is then kept. */
function lower(threadId: string, niceValue: number): void {
  if (getPriority(Number(threadId)) < niceValue) setPriority(Number(threadId), niceValue);
}

/** Only Linux has priorities of single threads, and a sandbox may refuse to change them. */
function onLinux(change: () => void): void {
  if (process.platform !== 'linux') return;
  try {
    change();
  } catch {
    // Without priorities everything works, but the threads share the processors evenly.
  }
}
