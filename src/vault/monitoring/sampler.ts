import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

export type Sampled<T> = { value: T; sampledAt: Date };
export type Sampler<T> = {
  /**
   * The last sample; null where none is taken. Only who asks before the first is there waits for
   * it.
   */
  last(): Promise<Sampled<T> | null>;
  close(): void;
};

type SamplerParts<T> = { intervalSeconds: number; take: () => Promise<T>; clock: Clock; log: Log };

/**
 * Takes a sample now and then again after each interval, never two at once. With an interval of 0
 * it does nothing at all.
 */
export function createSampler<T>({
  intervalSeconds,
  take,
  clock,
  log,
}: SamplerParts<T>): Sampler<T> {
  if (intervalSeconds === 0) return { last: async () => null, close: () => {} };
  let last: Promise<Sampled<T> | null>;
  let taking = false;
  const sample = async (): Promise<Sampled<T> | null> => {
    taking = true;
    try {
      return { value: await take(), sampledAt: clock() };
    } finally {
      taking = false;
    }
  };
  const failed = (error: unknown) => log.warn({ err: error }, 'a sample could not be taken');
  last = sample().catch((error: unknown) => {
    failed(error);
    return null;
  });
  const timer = setInterval(() => {
    if (taking) return;
    sample().then((taken) => {
      last = Promise.resolve(taken);
    }, failed);
  }, intervalSeconds * 1000).unref();
  return { last: () => last, close: () => clearInterval(timer) };
}
