import type { Pool } from 'pg';
import type { DatabaseLog } from './database-log.ts';

const schedule = { checkpointEveryMs: 60_000, vacuumEveryMs: 15 * 60_000 };

type MaintenanceOptions = {
  checkpointEveryMs?: number;
  vacuumEveryMs?: number;
  hasSpaceForCheckpoint?: (() => Promise<boolean>) | undefined;
};

/**
 * Checkpoints and vacuums the embedded database, which a Postgres server does by itself. Without
 * this the write-ahead log grew to 1.3 GB.
 */
export function startMaintenance(
  pool: Pool,
  log: DatabaseLog,
  {
    checkpointEveryMs = schedule.checkpointEveryMs,
    vacuumEveryMs = schedule.vacuumEveryMs,
    hasSpaceForCheckpoint = async () => true,
  }: MaintenanceOptions = {},
): () => void {
  const repeat = (task: () => Promise<unknown>, ms: number) =>
    setInterval(() => {
      task().catch((error: unknown) =>
        log.warn({ err: error }, 'maintenance of the embedded database failed'),
      );
    }, ms).unref();
  const checkpoint = async () => {
    if (await hasSpaceForCheckpoint()) await pool.query('checkpoint');
    else log.warn({}, 'The disk of the embedded database is full. Free some space');
  };
  const timers = [repeat(checkpoint, checkpointEveryMs), repeat(() => vacuum(pool), vacuumEveryMs)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

// Vacuums table by table, so that requests can run in between. The system tables, which would take
// 0.2 s, do not change.
async function vacuum(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    "select format('vacuum (analyze) %I', tablename) as statement from pg_tables where schemaname = 'public'",
  );
  for (const { statement } of rows) await pool.query(statement);
}
