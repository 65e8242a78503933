import { createBatcher } from '../../platform/batch.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';

type RunWrite = (tx: Transaction) => void;

/** Commits a write of a run of this organization, together with those of its other runs. */
export type CommitShared = (organizationId: string, write: RunWrite) => Promise<void>;

const runsPerTransaction = 50;

/**
 * Runs of one organization that start or end at the same time share a transaction, because a
 * commit of its own costs each of them more than its statements. A write must lock no row that
 * another run locks as well: processes would lock such rows in different orders.
 */
export function createSharedCommits({ database }: { database: Database }): CommitShared {
  const commit = (organizationId: string, writes: readonly RunWrite[]) =>
    database.within({ organizationId, personId: '' }).transact((tx) => {
      for (const write of writes) write(tx);
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
    runsPerTransaction,
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
