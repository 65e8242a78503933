import type {
  BudgetMetric,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment, type Sql } from '../../platform/database/sql.ts';
import { currentStart } from './budget-period.ts';

// The statements that reserve and settle. Why they are correct under READ COMMITTED:
// - Both lock the budgets first, in the order of their ids, so no two transactions can wait for each
//   other. FOR UPDATE returns the newest version of a row that it had to wait for.
// - Only the transaction that has locked a budget changes its reservations.
// - What is left in a budget is computed from the locked rows, in a common table expression that is
//   materialized: if Postgres evaluates the UPDATE again on a newer version of the row, it uses the
//   same computed values.

/** What a step uses, in the units of each metric. Costs are decimal numbers. */
export type BudgetAmounts = { tokens: number; cost: string; runs: 0 | 1 };

/** Whose budgets a run counts for. */
export type BudgetedRun = {
  id: string;
  organizationId: string;
  userId: string | null;
  keyId: string | null;
  assistantId: string;
};

/** A budget as it was before a reservation. */
export type BudgetState = {
  id: string;
  scope: BudgetScope;
  metric: BudgetMetric;
  period: BudgetPeriod;
  mode: BudgetMode;
  periodStart: string;
  /** The limit, and what is neither used nor reserved of it, as decimal numbers. */
  limit: string;
  remaining: string;
  /** Whether the budget refuses the step. */
  isExhausted: boolean;
};

const amountOf = ({ tokens, cost, runs }: BudgetAmounts): Fragment => fragment`
  case b.metric when 'TOKENS' then ${tokens}::numeric when 'COST' then ${cost}::numeric else ${runs}::numeric end`;

/** Whether a run counts for the budget `b`. */
const countsFor = ({
  organizationId,
  userId,
  keyId,
  assistantId,
}: BudgetedRun): Fragment => fragment`
  b.organization_id = ${organizationId} and case b.scope
    when 'ORGANIZATION' then true when 'USER' then b.scope_id = ${userId} when 'KEY' then b.scope_id = ${keyId}
    when 'ASSISTANT' then b.scope_id = ${assistantId}
    else exists (select from team_memberships m where m.team_id = b.scope_id and m.user_id = ${userId}) end`;

/**
 * The budgets that block a run, by id, with what is left of each now. Nothing is reserved, so a run
 * that is accepted can still be refused when it begins.
 */
export function readBlocking(
  { run, at }: { run: BudgetedRun; at: Date },
  { sql }: { sql: Sql },
): Promise<BudgetState[]> {
  return sql<BudgetState>`
    with fitting as (
      select b.*, ${currentStart(at)} as start from budgets b where b.mode = 'BLOCK' and ${countsFor(run)}),
    room as (
      select f.*, f.limit_amount - case when f.start > f.period_start then 0 else f.used end
        - coalesce((select sum(r.amount) from budget_reservations r where r.budget_id = f.id and r.expires_at > ${at}), 0) as remaining
      from fitting f)
    select id, scope, metric, period, mode, start as "periodStart", limit_amount as "limit", remaining, remaining <= 0 as "isExhausted"
    from room order by id`;
}

type ReserveInput = { run: BudgetedRun; amounts: BudgetAmounts; at: Date; expiresAt: Date };

/**
 * Reserves amounts in all budgets of a run, if each budget that blocks has something left that is
 * neither used nor reserved. Otherwise nothing is reserved. A budget of runs refuses only the first
 * step of a run. Returns the budgets, by id.
 */
export function reserveBudgets(
  { run, amounts, at, expiresAt }: ReserveInput,
  { sql }: { sql: Sql },
): Promise<BudgetState[]> {
  const { id, organizationId } = run;
  return sql<BudgetState>`
    with locked as (
      select b.*, ${currentStart(at)} as start, ${amountOf(amounts)} as amount from budgets b
      where ${countsFor(run)}
      order by b.id for update of b),
    released as (
      delete from budget_reservations r using locked l
      where r.budget_id = l.id and (r.expires_at <= ${at} or r.run_id = ${id}) returning r.budget_id, r.amount),
    room as materialized (
      select l.*, case when l.start > l.period_start then 0 else l.used end as "usedNow",
        l.reserved - coalesce((select sum(amount) from released where budget_id = l.id), 0) as "reservedNow" from locked l),
    verdicts as materialized (
      select id, mode = 'BLOCK' and "usedNow" + "reservedNow" >= limit_amount and not (metric = 'RUNS' and amount = 0) as "isExhausted" from room),
    decision as materialized (select coalesce(bool_or("isExhausted"), false) as "isRefused" from verdicts),
    changed as (
      update budgets b set period_start = room.start, used = room."usedNow",
        notified_percent = case when room.start > room.period_start then 0 else room.notified_percent end,
        reserved = room."reservedNow" + case when decision."isRefused" then 0 else room.amount end
      from room, decision where b.id = room.id),
    added as (
      insert into budget_reservations (budget_id, run_id, organization_id, amount, expires_at)
      select room.id, ${id}, ${organizationId}, room.amount, ${expiresAt} from room, decision where not decision."isRefused")
    select room.id, room.scope, room.metric, room.period, room.mode, room.start as "periodStart", room.limit_amount as "limit",
      room.limit_amount - room."usedNow" - room."reservedNow" as remaining, verdicts."isExhausted"
    from room join verdicts on verdicts.id = room.id order by room.id`;
}

type SettleInput = {
  runId: string;
  budgetIds: readonly string[];
  amounts: BudgetAmounts;
  at: Date;
};

/** Replaces the reservations of a run by what its step has used, also if they have lapsed. */
export function settleBudgets(
  { runId, budgetIds, amounts, at }: SettleInput,
  { enqueue }: Pick<Transaction, 'enqueue'>,
): void {
  enqueue`
    with locked as (
      select b.*, ${currentStart(at)} as start, ${amountOf(amounts)} as amount from budgets b
      where b.id = any(${budgetIds}) order by b.id for update),
    released as (
      delete from budget_reservations r using locked l where r.budget_id = l.id and r.run_id = ${runId} returning r.budget_id, r.amount),
    room as materialized (
      select l.*, case when l.start > l.period_start then 0 else l.used end as "usedNow",
        l.reserved - coalesce((select sum(amount) from released where budget_id = l.id), 0) as "reservedNow" from locked l)
    update budgets b set period_start = room.start, used = room."usedNow" + room.amount, reserved = room."reservedNow",
      notified_percent = case when room.start > room.period_start then 0 else room.notified_percent end
    from room where b.id = room.id`;
}

/**
 * What the JSON of an event has beside its text. Postgres cannot read the text itself, because a zero
 * byte in it is no text for Postgres.
 */
const eventOverhead = '{"type":"text","text":""}'.length;

type SettleCancelledInput = {
  run: Pick<BudgetedRun, 'id' | 'organizationId'>;
  /** What the run wrote in the step, beyond the events that are stored of a durable run. */
  writtenCharacters: number;
  charactersPerToken: number;
  /** The cost of a written token, as a decimal number. */
  tokenCost: string;
  at: Date;
};

/**
 * Counts a step that its caller has cancelled: what was reserved for it, and an estimate of what the
 * model has written. The reservations and the events are read from the database, because another
 * process may execute the run.
 */
export function settleCancelled(
  {
    run: { id, organizationId },
    writtenCharacters,
    charactersPerToken,
    tokenCost,
    at,
  }: SettleCancelledInput,
  { enqueue }: Pick<Transaction, 'enqueue'>,
): void {
  enqueue`
    with locked as (
      select b.*, ${currentStart(at)} as start from budgets b
      where b.organization_id = ${organizationId} and b.id in (select budget_id from budget_reservations where run_id = ${id})
      order by b.id for update),
    released as (
      delete from budget_reservations r using locked l where r.budget_id = l.id and r.run_id = ${id} returning r.budget_id, r.amount),
    written as (
      select ceil((${writtenCharacters}::numeric + coalesce(sum(length(e.data) - ${eventOverhead}::int), 0)) / ${charactersPerToken}::numeric) as tokens
      from run_events e
      where e.run_id = ${id} and e.organization_id = ${organizationId} and (e.data like '{"type":"text",%' or e.data like '{"type":"reasoning",%')
        and e.sequence > (
          select coalesce(max(s.sequence), 0) from run_events s where s.run_id = ${id} and s.data like '{"type":"step",%')),
    room as materialized (
      select l.*, released.amount + case l.metric when 'TOKENS' then written.tokens when 'COST' then written.tokens * ${tokenCost}::numeric else 0 end as amount,
        case when l.start > l.period_start then 0 else l.used end as "usedNow", l.reserved - released.amount as "reservedNow"
      from locked l join released on released.budget_id = l.id cross join written)
    update budgets b set period_start = room.start, used = room."usedNow" + room.amount, reserved = room."reservedNow",
      notified_percent = case when room.start > room.period_start then 0 else room.notified_percent end
    from room where b.id = room.id`;
}
