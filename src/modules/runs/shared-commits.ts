import { createBatcher } from '../../platform/batch.ts';
import type { Database } from '../../platform/database/database.ts';
import { RunWrites } from './run-writes.ts';

type RunWrite = (writes: RunWrites) => void;

/** Commits a write of a run of this organization, together with those of its other runs. */
export type CommitShared = (organizationId: string, write: RunWrite) => Promise<void>;

const runsPerTransaction = 50;
// With many runs in progress one of them writes every few milliseconds. A commit for each would take
// the disk and two processes more time than the rest of the run.
const busyFrom = 16;
const busyIntervalMs = 10;

type SharedCommitDependencies = {
  database: Database;
  /** The number of runs that this process executes now. */
  inProgress?: () => number;
};

/**
 * Runs of one organization that start or end at the same time share a transaction, because a
 * commit of its own costs each of them more than its statements. A write must lock no row that
 * another run locks as well: processes would lock such rows in different orders.
 */
export function createSharedCommits({
  database,
  inProgress = () => 0,
}: SharedCommitDependencies): CommitShared {
  const commit = (organizationId: string, writes: readonly RunWrite[]) =>
    database.within({ organizationId, personId: '' }).transact((tx) => {
      const all = new RunWrites();
      for (const write of writes) write(all);
      all.sendTo(tx);
    });
  const commitAlone = async (organizationId: string, write: RunWrite) => {
    try {
      await commit(organizationId, [write]);
      return {};
    } catch (fault) {
      return { fault };
    }
  };
  const enqueue = createBatcher<RunWrite, { fault?: unknown }>(
    {
      itemsMax: runsPerTransaction,
      intervalMsMin: () => (inProgress() < busyFrom ? 0 : busyIntervalMs),
    },
    async (organizationId, writes) => {
      try {
        await commit(organizationId, writes);
        return writes.map(() => ({}));
      } catch (fault) {
        // The write of one run must not fail the others.
        return writes.length === 1
          ? [{ fault }]
          : Promise.all(writes.map((write) => commitAlone(organizationId, write)));
      }
    },
  );
  return async (organizationId, write) => {
    const { fault } = await enqueue(organizationId, write);
    if (fault !== undefined) throw fault;
  };
}
