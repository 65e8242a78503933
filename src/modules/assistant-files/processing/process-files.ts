import { randomUUID } from 'node:crypto';
import { claimFile } from './claim-file.ts';
import { type ProcessingParts, processFile } from './process-file.ts';
import { reconcile } from './reconcile.ts';
import { removeNextLeftover } from './remove-leftovers.ts';

export type Processing = {
  /** There is something to do: begin at once. */
  wake(): void;
  /** Ends in good order: what was begun is given back. */
  stop(): Promise<void>;
};

// What another process was told of is found by looking.
const lookEveryMs = 2_000;
const filesAtOnce = 3;
// The rest is free for other organizations: their first file never waits for the files of one.
const filesAtOncePerOrganization = 2;

/**
 * Processes files and removes what deletions left, beside any number of other processes that do the
 * same.
 */
export function processFiles(parts: ProcessingParts): Processing {
  const { log } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();

  /** Does one thing after another, and rests while there is none. */
  async function work(next: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      // Whoever wakes while nothing was found has not called in vain.
      const word = woken.promise;
      const isMore = await next().catch((error: unknown) => {
        log.warn({ err: error }, 'the processing of files stumbled');
        return false;
      });
      if (!isMore) await rest(word);
    }
  }

  async function rest(word: Promise<void>): Promise<void> {
    const timer = setTimeout(wake, lookEveryMs);
    await word;
    clearTimeout(timer);
  }

  async function processNext(): Promise<boolean> {
    const file = await claimFile({ holder, perOrganizationMax: filesAtOncePerOrganization }, parts);
    if (file) await processFile(file, parts, stopping.signal);
    return file !== undefined;
  }

  const wake = () => {
    woken.resolve();
    woken = Promise.withResolvers();
  };
  const workers = [
    ...Array.from({ length: filesAtOnce }, () => work(processNext)),
    work(() => removeNextLeftover(parts)),
    reconcile(parts, stopping.signal).then(wake),
  ];
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await Promise.all(workers);
    },
  };
}
