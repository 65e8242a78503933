import { setTimeout as pause } from 'node:timers/promises';

/** How long it took until that was so, in seconds; the time itself where it did not come to be. */
export async function secondsUntil(
  isSo: () => Promise<boolean>,
  secondsMax: number,
): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  while (!(await isSo().catch(() => false)) && seconds() < secondsMax) await pause(200);
  return seconds();
}
