import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { administratorsOf } from '../emails/administrators-of.ts';
import { notificationStatement, toAdministrators } from '../notifications/notify.ts';
import { budgetEmail } from './budget-email.ts';
import { currentStart } from './budget-period.ts';
import type { ReachedBudget } from './reached-budget.ts';

type NotifierDependencies = { database: Database; clock: Clock; log: Log; mail: Mailer };

/** Steps that end within this time share one look at the budgets. */
const delayMs = 2_000;

/**
 * Informs the administrators of an organization by mail and in the console when 80 % and 100 % of a
 * budget are used,
 * each once in a period. It looks at the budgets of all organizations, so the steps of a process
 * that was killed are noticed with the next step of any process.
 */
export function createBudgetNotifier({ database, clock, log, mail }: NotifierDependencies) {
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function sendDue(): Promise<void> {
    for (const budget of await claimReached({ database, at: clock() })) {
      if (mail.kind === 'none') continue;
      for (const recipient of await administratorsOf(budget.organizationId, database))
        await mail.send(budgetEmail({ ...recipient, budget }));
    }
  }
  function notify(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // The mails of two calls are sent one after the other.
    sending = sending
      .then(sendDue)
      .catch((err: unknown) =>
        log.warn({ err }, 'mails about budgets could not be sent; the next step tries again'),
      );
    return sending;
  }

  return {
    notify,
    /** Looks at the budgets soon. */
    wake(): void {
      timer ??= setTimeout(() => void notify(), delayMs).unref();
    },
    async close(): Promise<void> {
      if (timer) await notify();
      await sending;
    },
  };
}

/**
 * Marks the budgets that have reached a share of which nobody was informed, stores the notifications
 * with the marks, and returns the budgets. Only one process gets each. A budget that passes both
 * shares at once is returned for the higher one.
 */
const claimReached = ({ database, at }: { database: Database; at: Date }) =>
  inTransaction(database, async (tx) => {
    const reached = await markReached(at, tx);
    for (const { id, organizationId } of reached)
      tx.enqueue`${notificationStatement({ kind: 'BUDGET_REACHED', recipients: toAdministrators(organizationId, id), at })}`;
    return reached;
  });

const markReached = (at: Date, { sql }: Pick<Transaction, 'sql'>) =>
  sql<ReachedBudget>`
    with reached as (
      select b.id, case when b.used >= b.limit_amount then 100 else 80 end as percent from budgets b
      where b.used >= b.limit_amount * 0.8 and b.notified_percent < case when b.used >= b.limit_amount then 100 else 80 end
        and b.period_start = ${currentStart(at)}
      for update skip locked)
    update budgets b set notified_percent = reached.percent from reached, organizations o
    where b.id = reached.id and o.id = b.organization_id
    returning b.id, b.organization_id as "organizationId", o.name as "organizationName", b.scope, b.metric, b.period, b.mode,
      b.period_start as "periodStart", b.limit_amount::float8 as "limit", b.used::float8 as used, b.notified_percent as percent`;
