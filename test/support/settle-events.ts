import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/platform/database/database.ts';

/**
 * Resolves once the event feed has everything that is committed by now. Postgres may have other
 * transactions open for a moment, such as that of an automatic ANALYZE.
 */
export async function settleEvents({ unscoped }: Database): Promise<void> {
  const [now] = await unscoped.sql<{ end: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as end`;
  for (;;) {
    const [horizon] = await unscoped.sql<{ isReached: boolean }>`
      select event_horizon() >= ${now?.end ?? '0'}::bigint as "isReached"`;
    if (horizon?.isReached) return;
    await pause(5);
  }
}
