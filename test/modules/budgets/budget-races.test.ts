import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { testDatabase } from '../../support/database.ts';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { rounds } from '../../support/rounds.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const runsAtOnce = 200;
const tokensOfStep = 100;
const calculate = { name: 'calculate', input: { expression: '1 + 1' } };

let app: TestApp;
let twin: Awaited<ReturnType<TestApp['twin']>>;
let provider: ModelProvider;
// Signing in for every round would reach the limit of sign-ins.
let administrator: TestSession;
let owner: Awaited<ReturnType<typeof personIn>>;

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  const database = await testDatabase({ poolSize: 12 });
  await database.prisma.$executeRaw`
    create table decisions (
      number bigint generated always as identity, budget_id text, "isReservation" boolean, before numeric, "limit" numeric, reserved numeric, used numeric)`;
  await database.prisma.$executeRaw`
    create function record_decision() returns trigger language plpgsql as $$ begin
      insert into decisions (budget_id, "isReservation", before, "limit", reserved, used)
      values (new.id, current_query() like '%insert into budget_reservations%', old.used + old.reserved, new.limit_amount,
        new.reserved - old.reserved, new.used - old.used);
      return null;
    end $$`;
  await database.prisma.$executeRaw`
    create trigger record_decision after update on budgets for each row execute function record_decision()`;
  app = await testApp(
    {
      ...{ USER_KEY_LIMIT: '1000000', QUOTA_RUNS: '1000' },
      ...{ MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k', MODEL_DEFAULT: 'large' },
    },
    { database },
  );
  twin = await app.twin();
  const organization = await app.organization();
  administrator = await signIn(app, organization.administratorId);
  owner = await personIn(app, organization);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(() => {
  provider.now(({ messages }) => ({
    ...(messages.some(({ role }) => role === 'tool')
      ? { text: 'Hello.' }
      : { toolCalls: [calculate] }),
    usage: { prompt_tokens: tokensOfStep - 10, completion_tokens: 10 },
    afterMs: Math.random() * 30,
  }));
});

/** Runs an assistant many times at once, in two processes, against a budget. */
async function race(metric: 'TOKENS' | 'RUNS', limit: number) {
  const assistantId = await assistantOf(owner, { name: 'Racer' });
  const created = await administrator.graph<{ createBudget: { budget: { id: string } } }>(
    `mutation ($metric: BudgetMetric!, $limit: Decimal!) { createBudget(input: {
      scope: ORGANIZATION, metric: $metric, period: TOTAL, limit: $limit, mode: BLOCK }) { budget { id } } }`,
    { metric, limit },
  );
  const budgetId = created.data?.createBudget.budget.id ?? '';
  const callers = [app.callerWith(owner.key), twin.callerWith(owner.key)];
  const answers = await Promise.all(
    Array.from({ length: runsAtOnce }, (_, index) =>
      callers[index % 2]?.('POST', `/api/assistants/v1/${assistantId}/run`, {
        messages: [{ role: 'user', content: 'What is one and one?' }],
      }),
    ),
  );
  const statuses = Map.groupBy(answers, (answer) => answer?.status);
  const countOf = (status: number) => statuses.get(status)?.length ?? 0;
  const [budget] = await app.database.sql<{ used: number; reserved: number; open: number }>`
    select used::float8 as used, reserved::float8 as reserved,
      (select count(*)::int from budget_reservations r where r.budget_id = b.id) as open
    from budgets b where id = ${budgetId}`;
  if (!budget) throw new Error('there is no budget');
  const decisions = await app.database.sql<{
    isReservation: boolean;
    before: number;
    reserved: number;
    used: number;
  }>`
    select "isReservation", before::float8 as before, reserved::float8 as reserved, used::float8 as used
    from decisions where budget_id = ${budgetId} order by number`;
  const [entries] = await app.database.sql<{ tokens: number; runs: number }>`
    select coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 as tokens, count(distinct run_id)::int as runs
    from usage_entries where assistant_id = ${assistantId}`;
  // The next race has a budget of its own.
  await administrator.graph(
    'mutation ($budgetId: ID!) { deleteBudget(input: { budgetId: $budgetId }) { deletedBudgetId } }',
    { budgetId },
  );
  return { completed: countOf(200), refused: countOf(429), budget, decisions, entries };
}

it('With 200 runs at once, a budget of tokens is overdrawn by no more than the last step of each run in progress', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const limit = 10_000;
    const { completed, refused, budget, decisions, entries } = await race('TOKENS', limit);
    expect(completed + refused).toBe(runsAtOnce);
    expect(refused).toBeGreaterThan(0);
    // Each decision was right when it was made.
    const grants = decisions.filter(({ isReservation, reserved }) => isReservation && reserved > 0);
    const refusals = decisions.filter(
      ({ isReservation, reserved }) => isReservation && reserved === 0,
    );
    expect(grants.every(({ before }) => before < limit)).toBe(true);
    expect(refusals.every(({ before }) => before >= limit)).toBe(true);
    // Nothing is lost: what was used is what the steps have used, and nothing stays reserved.
    expect(budget).toEqual({ used: entries?.tokens, reserved: 0, open: 0 });
    expect(budget.used).toBeGreaterThanOrEqual(limit);
    // The promise: what the steps in progress used beyond their reservations, and one whole step.
    const last = decisions.findLastIndex((one) => one.isReservation && one.reserved > 0);
    const reservedMin = Math.min(...grants.map(({ reserved }) => reserved));
    const inProgress = decisions
      .slice(0, last)
      .reduce((open, one) => open + (one.used > 0 ? -1 : one.reserved > 0 ? 1 : 0), 0);
    const promised = inProgress * Math.max(0, tokensOfStep - reservedMin) + tokensOfStep;
    expect(budget.used - limit).toBeLessThanOrEqual(promised);
    process.stdout.write(
      `overdrawn by ${budget.used - limit} of ${limit} tokens; promised: at most ${promised}\n`,
    );
  }
}, 600_000);

it('With 200 runs at once, a budget of 50 runs allows exactly 50', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { completed, refused, budget } = await race('RUNS', 50);
    expect({ completed, refused }).toEqual({ completed: 50, refused: runsAtOnce - 50 });
    expect(budget).toEqual({ used: 50, reserved: 0, open: 0 });
  }
}, 600_000);
