import type { Clock } from '../../platform/clock.ts';
import { clocksAgree } from '../../platform/database/clocks-agree.ts';
import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/log.ts';
import { type RepeatedWork, repeatEvery } from '../../platform/repeat.ts';
import { change } from '../audit/record-change.ts';
import { systemActor } from '../audit/system-actor.ts';
import { deleteWhere } from './delete-conversations.ts';

type SweepDependencies = { database: Database; clock: Clock; log: Log; wake: () => void };

const conversationsAtOnce = 200;
const firstSweepMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;
const hourOfNight = 2;

/**
 * Deletes the conversations whose retention has ended. Several processes may do so at the same time,
 * because each conversation is deleted once. Each batch has an entry in the audit log. Returns how
 * many conversations were deleted.
 */
export async function sweepConversations(
  { database, clock, wake }: Omit<SweepDependencies, 'log'>,
  stopping?: AbortSignal,
): Promise<number> {
  const expired = await database.sql<{ organizationId: string }>`
    select o.id as "organizationId" from organizations o
    where exists (select from conversations c where c.organization_id = o.id
      and c.updated_at < ${clock()}::timestamptz - make_interval(days => o.retention_days))`;
  let total = 0;
  for (const { organizationId } of expired) {
    while (!stopping?.aborted) {
      const deleted = await sweepBatch(organizationId, { database, clock });
      total += deleted;
      if (deleted < conversationsAtOnce) break;
    }
  }
  if (total > 0) wake();
  return total;
}

function sweepBatch(
  organizationId: string,
  { database, clock }: Pick<SweepDependencies, 'database' | 'clock'>,
): Promise<number> {
  const writer = {
    database,
    clock,
    actor: systemActor(organizationId),
    credentialsChanged: () => undefined,
  };
  return change(writer, async (tx, record, at) => {
    const deleted = await deleteWhere(
      fragment`c.id in (
        select old.id from conversations old join organizations o on o.id = old.organization_id
        where o.id = ${organizationId} and old.updated_at < ${at}::timestamptz - make_interval(days => o.retention_days)
        order by old.updated_at limit ${conversationsAtOnce}::int)`,
      tx,
    );
    if (deleted.conversations > 0)
      record({
        action: 'sweep-conversations',
        targetType: 'Organization',
        targetId: organizationId,
        changes: deleted,
      });
    return deleted.conversations;
  });
}

/** Sweeps a minute after the start and then every night. */
export const scheduleSweep = (
  { log, ...dependencies }: SweepDependencies,
  firstInMs = firstSweepMs,
): RepeatedWork =>
  repeatEvery(
    async (stopping) => {
      if (!(await clocksAgree({ ...dependencies, log }))) return;
      const deleted = await sweepConversations(dependencies, stopping);
      if (deleted > 0) log.info({ deleted }, 'conversations were deleted after their retention');
    },
    {
      firstInMs,
      everyMs: () => untilNight(Date.now()),
      failed: (err) => log.warn({ err }, 'old conversations could not be deleted yet'),
    },
  );

/** The time until the next night, at a moment that differs between processes. */
function untilNight(now: number): number {
  const midnight = new Date(now).setUTCHours(hourOfNight, 0, 0, 0);
  const next = midnight > now ? midnight : midnight + dayMs;
  return next - now + Math.floor(Math.random() * 60 * 60 * 1000);
}
