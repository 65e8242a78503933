import type { Database } from '../../platform/database/database.ts';
import type { DatabaseLog } from '../../platform/database/database-log.ts';
import type { Env } from '../../platform/env.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { createLeases } from './leases.ts';

/** The limits of every organization for which platform support has not set other ones. */
export type QuotaLimits = {
  files: number;
  bytes: number;
  passages: number;
  runs: number;
  uploads: number;
};

export type Quotas = ReturnType<typeof createQuotas>;

declare module '../../access/context.ts' {
  interface Services {
    quotas: Quotas;
  }
}

type QuotaSettings = Pick<
  Env,
  'QUOTA_FILES' | 'QUOTA_BYTES' | 'QUOTA_PASSAGES' | 'QUOTA_RUNS' | 'QUOTA_UPLOADS'
>;
type QuotaDependencies = { env: QuotaSettings; database: Database; log: Pick<DatabaseLog, 'warn'> };

/**
 * The quotas of organizations: the default limits, and the leases of the runs and uploads that this
 * process has in progress.
 */
export function createQuotas({ env, database, log }: QuotaDependencies) {
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
    /** Counts a run of the organization until the lease ends. */
    startRun: (organizationId: string) =>
      leases.take({ kind: 'RUNS', organizationId, limit: limits.runs }),
    /** Counts an upload of the organization until the lease ends. */
    startUpload: (organizationId: string) =>
      leases.take({ kind: 'UPLOADS', organizationId, limit: limits.uploads }),
    /**
     * Commits the files of one organization one at a time. Each transaction locks its assistant;
     * many transactions that wait for this lock would take all database connections of the process,
     * and other organizations would wait as well.
     */
    commitUpload: createKeyedMutex(),
    close: leases.close,
  };
}
