import { randomUUID } from 'node:crypto';
import { createPolling } from '../../../platform/repeat.ts';
import { claimFile } from './claim-file.ts';
import { type ProcessingDependencies, processFile } from './process-file.ts';
import { reconcile } from './reconcile.ts';
import { removeNextLeftover } from './remove-leftovers.ts';

export type FileProcessor = {
  /** Starts work at once instead of at the next poll. */
  wake(): void;
  /**
   * Stops. Files that are being processed are released, so that another process can claim them at
   * once.
   */
  stop(): Promise<void>;
};

// A process that does not get the wake-up of another process finds the new work by polling.
const pollEveryMs = 2_000;
const filesAtOnce = 3;
// The remaining worker is free for other organizations, so their first file never waits for the
// files of one organization.
const filesAtOncePerOrganization = 2;

/**
 * Processes files and removes what deletions left behind. Any number of processes can do so at the
 * same time.
 */
export function processFiles(dependencies: ProcessingDependencies): FileProcessor {
  const { log } = dependencies;
  const holder = randomUUID();
  const stopping = new AbortController();
  const { wake, poll } = createPolling({ everyMs: pollEveryMs, signal: stopping.signal });
  const failed = (error: unknown) =>
    log.warn(
      { err: error },
      'Processing files failed unexpectedly; it continues with the next poll',
    );

  async function processNext(): Promise<boolean> {
    const file = await claimFile(
      { holder, perOrganizationMax: filesAtOncePerOrganization },
      dependencies,
    );
    if (file) await processFile(file, dependencies, stopping.signal);
    return file !== undefined;
  }

  const workers = [
    ...Array.from({ length: filesAtOnce }, () => poll(processNext, failed)),
    poll(() => removeNextLeftover(dependencies), failed),
    reconcile(dependencies, stopping.signal).then(wake),
  ];
  return {
    wake,
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}
