import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Frees everything that nothing refers to any more. */
export async function collectGarbage(): Promise<void> {
  // What was read through a WeakRef in this turn of the event loop is kept until its end.
  await pause(0);
  // The first call only finishes a collection that is already under way, and that one keeps what
  // became garbage since it began.
  collect();
  collect();
}
