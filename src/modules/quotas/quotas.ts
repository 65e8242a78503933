import type { Database, DatabaseLog } from '../../platform/database/database.ts';
import type { Env } from '../../platform/env.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { createLeases } from './leases.ts';

/** What every organization may have unless platform support has given it a limit of its own. */
export type QuotaLimits = {
  files: number;
  bytes: number;
  passages: number;
  runs: number;
  uploads: number;
};

export type Quotas = ReturnType<typeof createQuotas>;

declare module '../../graph/context.ts' {
  interface Services {
    quotas: Quotas;
  }
}

type QuotaSettings = Pick<
  Env,
  'QUOTA_FILES' | 'QUOTA_BYTES' | 'QUOTA_PASSAGES' | 'QUOTA_RUNS' | 'QUOTA_UPLOADS'
>;
type Parts = { env: QuotaSettings; database: Database; log: Pick<DatabaseLog, 'warn'> };

/**
 * The quotas of organizations: the limits by default, and the leases of the runs and uploads that
 * this process has under way.
 */
export function createQuotas({ env, database, log }: Parts) {
  const limits: QuotaLimits = {
    files: env.QUOTA_FILES,
    bytes: env.QUOTA_BYTES,
    passages: env.QUOTA_PASSAGES,
    runs: env.QUOTA_RUNS,
    uploads: env.QUOTA_UPLOADS,
  };
  const leases = createLeases({ database, log });
  return {
    limits,
    /** Counts a run of the organization until the returned function is called. */
    startRun: (organizationId: string) =>
      leases.take({ kind: 'RUNS', organizationId, limit: limits.runs }),
    /** Counts an upload of the organization until the returned function is called. */
    startUpload: (organizationId: string) =>
      leases.take({ kind: 'UPLOADS', organizationId, limit: limits.uploads }),
    /**
     * Adds the files of one organization one after the other. Each transaction locks its assistant,
     * and those that wait for the lock would occupy every connection of the process, so that other
     * organizations wait as well.
     */
    commitUpload: createKeyedMutex(),
    close: leases.close,
  };
}
