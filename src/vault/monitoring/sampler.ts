import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

export type TimedSample<T> = { value: T; sampledAt: Date };
export type Sampler<T> = {
  /**
   * The latest sample, or null if sampling is off. Only calls before the end of the first sample
   * wait.
   */
  last(): Promise<TimedSample<T> | null>;
  close(): void;
};

type SamplerOptions<T> = {
  intervalSeconds: number;
  take: () => Promise<T>;
  clock: Clock;
  log: Log;
};

/**
 * Takes a sample immediately and then at each interval, never two at once. With an interval of 0 no
 * samples are taken.
 */
export function createSampler<T>({
  intervalSeconds,
  take,
  clock,
  log,
}: SamplerOptions<T>): Sampler<T> {
  if (intervalSeconds === 0) return { last: async () => null, close: () => {} };
  let last: Promise<TimedSample<T> | null>;
  let isSampling = false;
  const sample = async (): Promise<TimedSample<T> | null> => {
    isSampling = true;
    try {
      return { value: await take(), sampledAt: clock() };
    } finally {
      isSampling = false;
    }
  };
  const logFailure = (error: unknown) =>
    log.warn({ err: error }, 'taking a sample failed; the next interval tries again');
  last = sample().catch((error: unknown) => {
    logFailure(error);
    return null;
  });
  const timer = setInterval(() => {
    if (isSampling) return;
    sample().then((result) => {
      last = Promise.resolve(result);
    }, logFailure);
  }, intervalSeconds * 1000).unref();
  return { last: () => last, close: () => clearInterval(timer) };
}
