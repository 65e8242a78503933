import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RunParticipant, RunRecord } from '../runs/run-record.ts';
import type { AnswerMessage } from '../runs/run-result.ts';
import { type ModelPrices, stepCost } from '../usage/step-cost.ts';
import { budgetExhausted } from './budget-exhausted.ts';
import type { BudgetLookUp } from './budget-look-up.ts';
import { remainingBudget } from './remaining-budget.ts';
import {
  type BudgetAmounts,
  type BudgetState,
  readBlocking,
  reserveBudgets,
  settleBudgets,
  settleCancelled,
} from './reserve-budgets.ts';

type GuardDependencies = {
  database: Database;
  clock: Clock;
  prices: ModelPrices;
  lookUp: BudgetLookUp;
  /** The reservation of a step lapses after this time, which no step takes. */
  leaseMs: number;
  /** Called when amounts are about to be added to a budget. */
  settled: () => void;
};

/** The budgets of a run, and its amounts in them. */
type RunBudgets = {
  budgets: readonly BudgetState[];
  step: number;
  reserved: BudgetAmounts;
  /** Whether the model may have been called for the step. */
  hasBegun: boolean;
  /** What the step has used, once it has ended. */
  used?: BudgetAmounts;
};

/** The usual number of characters of a token in English text. */
const charactersPerToken = 4;
const charactersOf = (messages: readonly AnswerMessage[]): number =>
  messages
    .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    .reduce(
      (sum, part) =>
        part.type === 'text' || part.type === 'reasoning' ? sum + part.text.length : sum,
      0,
    );
const nothing: BudgetAmounts = { tokens: 0, cost: '0', runs: 0 };

export type BudgetGuard = Required<RunParticipant> & {
  /**
   * Refuses a run that is to begin later if a budget is exhausted now. It reserves nothing. Returns
   * what is left of the tightest budget that blocks the run, as a decimal number.
   */
  requireRoom(run: RunRecord): Promise<string | undefined>;
  /**
   * Reserves the first step of a run before its answer begins, so that a refusal can be the answer.
   * The model will read this many characters.
   */
  admit(run: RunRecord, promptCharacters: number): Promise<void>;
  /** Ends the reservation of a run that was admitted and does not begin. */
  cancel(run: RunRecord): Promise<void>;
  /** What is left of the tightest budget that blocks the run, as a decimal number. */
  remainingOf(run: RunRecord): string | undefined;
};

/**
 * Holds each step of a run against the budgets that it counts for. Before a step it reserves the
 * tokens of the prompt, as far as they are known, and refuses the step if a budget that blocks has
 * nothing left. With the step it replaces the reservation by what the step has used. So a budget is
 * overdrawn by no more than what the last step of each run in progress uses beyond its reservation,
 * and by one whole step. A step that its caller cancels counts by an estimate: otherwise somebody who
 * reads an answer and disconnects before its end would use as much as they like.
 */
export function createBudgetGuard({
  database,
  clock,
  prices,
  lookUp,
  leaseMs,
  settled,
}: GuardDependencies): BudgetGuard {
  // The key is the object of the record, so that nothing remains of a run that has ended.
  const runs = new WeakMap<RunRecord, RunBudgets>();

  const amountsOf = (
    { model }: RunRecord,
    step: number,
    usage: Parameters<typeof stepCost>[1],
    embedding?: Parameters<typeof stepCost>[3],
  ): BudgetAmounts => ({
    tokens: usage.promptTokens + usage.completionTokens,
    cost: stepCost(model, usage, prices, embedding) ?? '0',
    runs: step === 1 ? 1 : 0,
  });

  async function reserve(run: RunRecord, step: number, promptTokens: number): Promise<void> {
    runs.delete(run);
    if (!(await lookUp.hasBudgets(run.organizationId))) return;
    const prompt = { promptTokens, completionTokens: 0, cachedTokens: 0 };
    const reserved = amountsOf(run, step, prompt);
    const at = clock();
    const expiresAt = new Date(at.getTime() + leaseMs);
    const budgets = await reserveBudgets({ run, amounts: reserved, at, expiresAt }, database);
    const exhausted = budgets.filter(({ isExhausted }) => isExhausted);
    if (exhausted.length > 0) throw budgetExhausted(exhausted, at);
    if (budgets.length > 0) runs.set(run, { budgets, step, reserved, hasBegun: false });
  }

  return {
    async requireRoom(run) {
      if (!(await lookUp.hasBudgets(run.organizationId))) return undefined;
      const at = clock();
      const budgets = await readBlocking({ run, at }, database);
      const exhausted = budgets.filter(({ isExhausted }) => isExhausted);
      if (exhausted.length > 0) throw budgetExhausted(exhausted, at);
      return remainingBudget(budgets, nothing);
    },
    admit: (run, promptCharacters) =>
      reserve(run, 1, Math.ceil(promptCharacters / charactersPerToken)),
    async cancel(run) {
      const open = runs.get(run);
      runs.delete(run);
      if (open) await database.transact((tx) => settleBudgets(settlement(run, open, nothing), tx));
    },
    async beforeStep(run, { number }) {
      const open = runs.get(run);
      // The model reads again what it has read and written in the step before.
      if (open?.step !== number) await reserve(run, number, open?.used?.tokens ?? 0);
      const begun = runs.get(run);
      if (begun) begun.hasBegun = true;
    },
    recordStep(writes, run, { number, usage, embedding }) {
      const open = runs.get(run);
      if (!open) return;
      open.used = amountsOf(run, number, usage, embedding);
      settleBudgets(settlement(run, open, open.used), writes);
      settled();
    },
    recordEnd(writes, run, outcome) {
      const open = runs.get(run);
      if (open?.used) return;
      // A durable run is cancelled by another process than the one that has reserved, if any has.
      if (outcome.state === 'CANCELLED' && open?.hasBegun !== false) {
        const writtenCharacters = charactersOf(outcome.written ?? []);
        const token = { promptTokens: 0, completionTokens: 1, cachedTokens: 0 };
        const tokenCost = stepCost(run.model, token, prices) ?? '0';
        settleCancelled(
          { run, writtenCharacters, charactersPerToken, tokenCost, at: clock() },
          writes,
        );
        settled();
      } else if (open) settleBudgets(settlement(run, open, nothing), writes);
    },
    locksSharedRows: (run) => runs.has(run),
    remainingOf(run) {
      const open = runs.get(run);
      return open && remainingBudget(open.budgets, open.used ?? open.reserved);
    },
  };

  function settlement({ id }: RunRecord, { budgets }: RunBudgets, amounts: BudgetAmounts) {
    return { runId: id, budgetIds: budgets.map((budget) => budget.id), amounts, at: clock() };
  }
}
