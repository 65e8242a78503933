import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets the threads that answer requests go first when the processors are busy. Linux has priorities
 * of single threads; elsewhere this does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  // The link names the process and the thread: 4711/task/4713.
  setPriority(
    Number(basename(readlinkSync('/proc/thread-self'))),
    constants.priority.PRIORITY_BELOW_NORMAL,
  );
}
