import { setTimeout as pause } from 'node:timers/promises';

/** The seconds until the condition held, or about `secondsMax` when it never did. */
export async function secondsUntil(
  isTrue: () => Promise<boolean>,
  secondsMax: number,
): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  while (!(await isTrue().catch(() => false)) && seconds() < secondsMax) await pause(200);
  return seconds();
}
