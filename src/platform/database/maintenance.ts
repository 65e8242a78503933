import type { Pool } from 'pg';
import type { DatabaseLog } from './database.ts';

const schedule = { checkpointEveryMs: 60_000, vacuumEveryMs: 15 * 60_000 };

/** What a Postgres server does in the background and the embedded one does not; without it the log alone grew to 1.3 GB. */
export function startMaintenance(pool: Pool, log: DatabaseLog, { checkpointEveryMs, vacuumEveryMs } = schedule): () => void {
  const repeat = (statement: string, ms: number) =>
    setInterval(() => {
      pool.query(statement).catch((error: unknown) => log.warn({ err: error, statement }, 'maintenance of the embedded database failed'));
    }, ms).unref();
  const timers = [repeat('checkpoint', checkpointEveryMs), repeat('vacuum (analyze)', vacuumEveryMs)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
