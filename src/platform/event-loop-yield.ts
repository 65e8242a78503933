import { setImmediate as nextTurn } from 'node:timers/promises';

const workMsMax = 10;

/**
 * For loops whose length the client decides: `await pause()` between two steps yields to other work
 * after ten milliseconds. A loop over settled promises never yields by itself.
 */
export function createEventLoopYield(): () => Promise<void> {
  let workingSince = performance.now();
  return async () => {
    if (performance.now() - workingSince < workMsMax) return;
    await nextTurn();
    workingSince = performance.now();
  };
}
