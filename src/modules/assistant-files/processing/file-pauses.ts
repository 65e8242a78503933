import { availableParallelism } from 'node:os';
import type { ClaimedFile } from './claim-file.ts';

type FilePausesDependencies = {
  /** Whether other organizations have sent requests within the last second. */
  areOthersActive: (organizationId: string) => boolean;
  /** Called when a pause ends. */
  wake: () => void;
  now?: () => number;
  processors?: number;
};

// A pause is so many times as long as the file took: reading one keeps up to two processors busy, so
// on two of them nothing is left for the requests of others. On eight others hardly notice.
const pauseShareOf = (processors: number) => Math.min(Math.max(8 / processors, 1), 4);
// A file that takes minutes delays the next one of its organization by no more than this.
const pauseMsMax = 2_000;

/**
 * Reading and indexing files can keep all processors busy. While other organizations send requests,
 * the files of an organization that has several are processed one after the other, with pauses in
 * between. An organization with one file never waits.
 */
export function createFilePauses({
  areOthersActive,
  wake,
  now = () => performance.now(),
  processors = availableParallelism(),
}: FilePausesDependencies) {
  const pauseShare = pauseShareOf(processors);
  const pausedUntil = new Map<string, number>();

  function pause(organizationId: string, ms: number): void {
    pausedUntil.set(organizationId, now() + ms);
    setTimeout(wake, ms).unref();
  }

  return {
    /** The organizations whose next file must wait. */
    paused(): string[] {
      for (const [organizationId, until] of pausedUntil)
        if (until <= now()) pausedUntil.delete(organizationId);
      return [...pausedUntil.keys()].filter(areOthersActive);
    },
    /** Returns a function that must be called when the file is processed. */
    begin({ organizationId, hasMore }: Pick<ClaimedFile, 'organizationId' | 'hasMore'>) {
      const startedAt = now();
      if (hasMore) pause(organizationId, pauseMsMax);
      return () => {
        const tookMs = now() - startedAt;
        if (hasMore) pause(organizationId, Math.min(pauseShare * tookMs, pauseMsMax));
      };
    },
  };
}
