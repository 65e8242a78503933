import type { Clock } from '../../platform/clock.ts';
import type { FinishedStep, StepObserver } from './run-steps.ts';

type StepSequenceOptions = {
  observer: StepObserver | undefined;
  clock: Clock;
  /** Aborted when the run ends early. */
  signal: AbortSignal;
};

/**
 * Puts the steps of a run in order for its observer. A streamed run is read while the SDK goes on,
 * so a step begins only once the step before it was read to its end and observed.
 */
export function createStepSequence({ observer, clock, signal }: StepSequenceOptions) {
  let current: { number: number; startedAt: Date; ended: PromiseWithResolvers<void> } | undefined;
  signal.addEventListener('abort', () => current?.ended.reject(signal.reason), { once: true });
  return {
    async begin(number: number): Promise<void> {
      signal.throwIfAborted();
      await current?.ended.promise;
      await observer?.beforeStep({ number });
      const ended = Promise.withResolvers<void>();
      // Nobody waits for the last step.
      ended.promise.catch(() => undefined);
      current = { number, startedAt: clock(), ended };
    },
    async end(step: Omit<FinishedStep, 'number' | 'startedAt' | 'endedAt'>): Promise<void> {
      if (!current) throw new Error('A step ended that has not begun');
      const { number, startedAt, ended } = current;
      await observer?.stepEnded({ ...step, number, startedAt, endedAt: clock() });
      ended.resolve();
    },
  };
}
