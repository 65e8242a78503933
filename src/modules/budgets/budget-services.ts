import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { type BudgetGuard, createBudgetGuard } from './budget-guard.ts';
import { createBudgetLookUp } from './budget-look-up.ts';
import { createBudgetNotifier } from './budget-notifier.ts';

export type BudgetServices = {
  guard: BudgetGuard;
  /** Call this after every change of the budgets of an organization. */
  changed: (organizationId: string) => void;
  /** Sends the mails that are due at once. */
  notify: () => Promise<void>;
  close: () => Promise<void>;
};

declare module '../../access/context.ts' {
  interface Services {
    budgets: BudgetServices;
  }
}

type BudgetDependencies = {
  env: Pick<Env, 'MODEL_PRICES' | 'MODEL_TIME_SECONDS'>;
  database: Database;
  clock: Clock;
  log: Log;
  mail: Mailer;
};

/** A call of a provider is tried three times, and tools run between two steps. */
const leaseMsOf = ({ MODEL_TIME_SECONDS }: BudgetDependencies['env']) =>
  (4 * MODEL_TIME_SECONDS + 60) * 1000;

/** What holds runs against the budgets of their organizations. */
export function createBudgetServices({
  env,
  database: { unscoped: database },
  clock,
  log,
  mail,
}: BudgetDependencies): BudgetServices {
  const lookUp = createBudgetLookUp({ database });
  const notifier = createBudgetNotifier({ database, clock, log, mail });
  const guard = createBudgetGuard({
    ...{ database, clock, lookUp, prices: env.MODEL_PRICES, leaseMs: leaseMsOf(env) },
    settled: notifier.wake,
  });
  return { guard, changed: lookUp.forget, notify: notifier.notify, close: notifier.close };
}

/** The guard of a dry run, which asks no model and so uses nothing. */
export const unguarded: BudgetGuard = {
  requireRoom: async () => undefined,
  admit: async () => undefined,
  cancel: async () => undefined,
  beforeStep: async () => undefined,
  recordStep: () => undefined,
  recordEnd: () => undefined,
  locksSharedRows: () => false,
  remainingOf: () => undefined,
};
