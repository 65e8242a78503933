import { setImmediate as nextTurn } from 'node:timers/promises';

const workMsMax = 10;

/**
 * For a loop whose length a caller decides: `await pause()` between two of its steps lets others
 * work after ten milliseconds. A loop over promises that are settled already never gives way by
 * itself.
 */
export function createBreaks(): () => Promise<void> {
  let workingSince = performance.now();
  return async () => {
    if (performance.now() - workingSince < workMsMax) return;
    await nextTurn();
    workingSince = performance.now();
  };
}
