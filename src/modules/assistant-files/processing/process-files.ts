import { randomUUID } from 'node:crypto';
import { createMutex } from '../../../platform/mutex.ts';
import { createPolling, repeatEvery } from '../../../platform/repeat.ts';
import { claimFile, shortenFileTimes } from './claim-file.ts';
import { createFilePauses } from './file-pauses.ts';
import { type ProcessingDependencies, processFile } from './process-file.ts';
import { reconcile } from './reconcile.ts';
import { removeNextLeftover, shortenRemovalTimes } from './remove-leftovers.ts';

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
const shortenEveryMs = 10_000;
const filesAtOnce = 3;
// The remaining worker is free for other organizations, so their first file never waits for the
// files of one organization.
const filesAtOncePerOrganization = 2;

type FilesDependencies = ProcessingDependencies & {
  /** Whether other organizations have sent requests within the last second. */
  areOthersActive?: (organizationId: string) => boolean;
};

/**
 * Processes files and removes what deletions left behind. Any number of processes can do so at the
 * same time.
 */
export function processFiles(dependencies: FilesDependencies): FileProcessor {
  const { log, areOthersActive = () => false } = dependencies;
  const holder = randomUUID();
  const stopping = new AbortController();
  const { wake, poll } = createPolling({ everyMs: pollEveryMs, signal: stopping.signal });
  const pauses = createFilePauses({ areOthersActive, wake });
  const failed = (error: unknown) =>
    log.warn(
      { err: error },
      'Processing files failed unexpectedly; it continues with the next poll',
    );

  // One claim after the other: claims at the same moment would not count each other, and could give
  // all workers to one organization.
  const inTurn = createMutex();
  const held = new Set<string>();
  const claimNext = () =>
    inTurn(async () => {
      const paused = pauses.paused();
      const perOrganizationMax = filesAtOncePerOrganization;
      const file = await claimFile(
        { holder, perOrganizationMax, paused, held: [...held] },
        dependencies,
      );
      if (file) held.add(file.id);
      return file && { file, end: pauses.begin(file) };
    });

  async function processNext(): Promise<boolean> {
    const claimed = await claimNext();
    if (!claimed) return false;
    try {
      await processFile(claimed.file, dependencies, stopping.signal);
    } finally {
      held.delete(claimed.file.id);
      claimed.end();
    }
    return true;
  }

  const workers = [
    ...Array.from({ length: filesAtOnce }, () => poll(processNext, failed)),
    poll(() => removeNextLeftover(dependencies), failed),
    reconcile(dependencies, stopping.signal).then(wake),
  ];
  const shortening = repeatEvery(
    async () => {
      await shortenFileTimes(dependencies);
      await shortenRemovalTimes(dependencies);
    },
    { everyMs: shortenEveryMs, failed },
  );
  return {
    wake,
    async stop() {
      stopping.abort();
      await Promise.all([...workers, shortening.stop()]);
    },
  };
}
