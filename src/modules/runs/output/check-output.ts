import { AppError } from '../../../platform/errors.ts';
import { createThreadPool, type ThreadPoolLog } from '../../../platform/thread-pool.ts';
import type { CheckRequest } from './find-faults.ts';

const deadlineMs = 2_000;
const poolSettings = {
  threads: 3,
  threadsOfOwnerMax: 2,
  queueMax: 200,
  queueOfOwnerMax: 50,
  deadlineMs,
  heapMegabytesMax: 128,
};

type Check = CheckRequest & {
  /** The tenant: organizations take turns in the thread pool. */
  owner: string;
  signal: AbortSignal;
};

export type OutputChecker = {
  /** Tells how the value violates the schema; an empty list means that it is valid. */
  check(request: Check): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * Checks values against schemas of callers in threads. A short schema can make the check endless,
 * by a regular expression or by references, and a thread can be terminated.
 */
export function createOutputChecker(log: ThreadPoolLog): OutputChecker {
  const script = new URL('./check-worker.ts', import.meta.url);
  const pool = createThreadPool({ ...poolSettings, name: 'The check of an output', script, log });
  return {
    async check({ schema, value, owner, signal }) {
      try {
        const faults = await pool.run({ schema, value }, owner, signal);
        return Array.isArray(faults) ? faults.map(String) : [];
      } catch (error) {
        if (error instanceof AppError && error.code === 'PROVIDER_LATE') throw slowSchema();
        throw error;
      }
    },
    close: pool.close,
  };
}

const slowSchema = () =>
  new AppError(
    'OUTPUT_INVALID',
    `The answer could not be checked against the schema within ${deadlineMs / 1000} seconds; use a simpler schema`,
  );
