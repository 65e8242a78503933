import type { RunNotices } from './run-notices.ts';

/** What requests need of the durable runs of the process. */
export type DurableRuns = {
  notices: RunNotices;
  /** The runs that an organization may have in the queue. */
  queuedMax: number;
  /** Looks for a run to execute at once, instead of at the next poll. */
  wake: () => void;
  /** Stops the execution of a run in this process at once; other processes notice by themselves. */
  stop: (runId: string) => void;
};

declare module '../../../access/context.ts' {
  interface Services {
    durableRuns: DurableRuns;
  }
}
