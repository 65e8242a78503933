import type { Database } from '../../platform/database/database.ts';

export type FileQueueStatus = { pending: number; processing: number; oldestSeconds: number };

/**
 * How many files of all organizations wait or are processed, and how old the oldest of them is, for
 * the metrics that operators see.
 */
export async function readQueueStatus({
  database,
}: {
  database: Database;
}): Promise<FileQueueStatus> {
  const rows = await database.sql<{ status: string; count: number; oldestSeconds: number }>`
    select status::text as status, count(*)::int as count,
      extract(epoch from clock_timestamp() - min(created_at))::float8 as "oldestSeconds"
    from assistant_files where status in ('PENDING', 'PROCESSING') group by status`;
  const countOf = (status: string) => rows.find((row) => row.status === status)?.count ?? 0;
  return {
    pending: countOf('PENDING'),
    processing: countOf('PROCESSING'),
    oldestSeconds: Math.max(0, ...rows.map((row) => row.oldestSeconds)),
  };
}
