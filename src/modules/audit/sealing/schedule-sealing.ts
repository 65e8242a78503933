import { clocksAgree } from '../../../platform/database/clocks-agree.ts';
import type { Log } from '../../../platform/log.ts';
import { type RepeatedWork, repeatEvery } from '../../../platform/repeat.ts';
import { UndecryptableKey } from '../../runs/receipts/receipt-keys.ts';
import { expireEntries } from './expire-entries.ts';
import { organizationsToSeal, type SealDependencies, sealEntries } from './seal-entries.ts';

type SealerDependencies = SealDependencies & {
  log: Log;
  /** Entries that are older are deleted; absent: they are kept. */
  auditRetentionDays: number | undefined;
};

export const sealEveryMs = 10_000;
const expireEveryMs = 60 * 60 * 1_000;

/** Seals what is new in the logs of all organizations. Returns how many there were. */
export async function sealAll(
  { log, ...dependencies }: SealDependencies & { log: Pick<Log, 'warn'> },
  stopping?: AbortSignal,
): Promise<number> {
  let waiting = await organizationsToSeal(dependencies.database);
  const { length } = waiting;
  // Organizations take turns, so a long log does not delay the others.
  while (waiting.length > 0) {
    const unfinished: string[] = [];
    for (const organizationId of waiting) {
      if (stopping?.aborted) return length;
      const hasMore = await sealEntries(organizationId, dependencies).catch((err: unknown) => {
        // Without the key nothing can be sealed in any log.
        if (err instanceof UndecryptableKey) throw err;
        log.warn({ err, organizationId }, 'The audit log could not be sealed yet');
        return false;
      });
      if (hasMore) unfinished.push(organizationId);
    }
    waiting = unfinished;
  }
  return length;
}

/** Seals every ten seconds, and deletes expired entries every hour. */
export function scheduleSealing(dependencies: SealerDependencies): RepeatedWork {
  const { log, auditRetentionDays: days } = dependencies;
  const repeat = (
    everyMs: number,
    work: (stopping: AbortSignal) => Promise<unknown>,
    message: string,
  ) =>
    repeatEvery(work, {
      ...{ firstInMs: everyMs, everyMs },
      failed: (err) => {
        if (!(err instanceof UndecryptableKey)) log.warn({ err }, message);
      },
    });
  const sealing = repeat(
    sealEveryMs,
    (stopping) => sealAll(dependencies, stopping),
    'Audit logs could not be sealed yet',
  );
  const expiring =
    days === undefined
      ? undefined
      : repeat(
          expireEveryMs,
          async (stopping) => {
            if (await clocksAgree(dependencies))
              await expireEntries({ ...dependencies, days }, stopping);
          },
          'Old audit entries could not be deleted yet',
        );
  return {
    async stop() {
      await Promise.all([sealing.stop(), expiring?.stop()]);
    },
  };
}
