import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Frees everything that nothing refers to any more. */
export async function collectGarbage(): Promise<void> {
  // What was read through a WeakRef in this turn of the event loop is kept until its end.
  await pause(0);
  collect();
}
