import type { Log } from '../log.ts';
import type { Database } from './database.ts';

// As for signed calls of the vault: longer than clocks differ that a time service sets.
const differenceMaxSeconds = 300;

/**
 * Whether the clocks of this process and of the database agree. A process whose clock is ahead must
 * not delete what is still to be kept, for all processes and for good.
 */
export async function clocksAgree({
  database: { sql },
  log,
}: {
  database: Pick<Database, 'sql'>;
  /** Absent if another caller logs it. */
  log?: Pick<Log, 'error'>;
}): Promise<boolean> {
  const [row] = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp())::float8 as seconds`;
  const differenceSeconds = Math.round(Date.now() / 1_000 - (row?.seconds ?? 0));
  if (Math.abs(differenceSeconds) <= differenceMaxSeconds) return true;
  log?.error(
    { differenceSeconds },
    'The clocks of this machine and of the database differ: nothing is deleted by its age until both are set',
  );
  return false;
}
