import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf } from '../../support/answers.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { receiveMail } from '../../support/mail.ts';
import { chunkOf } from '../../support/model-provider.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

type BudgetInput = Record<string, unknown>;
type Budget = { id: string; used: number; reserved: number; limit: number };

let setting: RunApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
let administrator: TestSession;

beforeAll(async () => {
  mail = await receiveMail();
  setting = await runApp({
    ...mail.settings,
    MODEL_PRICES: JSON.stringify({
      currency: 'EUR',
      models: { large: { input: '100', output: '1000' } },
    }),
  });
  administrator = await signIn(setting.app, setting.organization.administratorId);
});
afterAll(async () => {
  await setting.close();
  await mail.close();
});
beforeEach(async () => {
  await setting.app.database.sql`delete from budgets`;
  setting.app.contextParts.budgets.changed(setting.organization.id);
  setting.provider.now(() => ({
    text: 'Hello.',
    usage: { prompt_tokens: 90, completion_tokens: 10 },
  }));
});

const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const path = (assistantId = setting.assistantId) => `/api/assistants/v1/${assistantId}/run`;
const run = (person = setting.owner, assistantId = setting.assistantId) =>
  person.call('POST', path(assistantId), { messages });
const fields = 'id scope scopeId metric period limit mode used reserved periodStart periodEnd';
const create = (input: BudgetInput, session = administrator) =>
  session.graph<{ createBudget: { budget: Budget } }>(
    `mutation ($input: CreateBudgetInput!) { createBudget(input: $input) { budget { ${fields} } } }`,
    { input: { scope: 'ORGANIZATION', metric: 'TOKENS', period: 'DAY', mode: 'BLOCK', ...input } },
  );
const created = async (input: BudgetInput): Promise<Budget> => {
  const { data, errors } = await create(input);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.createBudget.budget;
};
const listed = async () => {
  const { data } = await administrator.graph<{ budgets: { nodes: Budget[] } }>(
    `{ budgets { nodes { ${fields} } } }`,
  );
  return data?.budgets.nodes ?? [];
};

describe('A budget that blocks', () => {
  it('refuses a run with 429 once it is used up, with the time until its period ends', async () => {
    await created({ limit: 100 });
    const first = await run();
    expect(first.status).toBe(200);
    expect(first.headers.get('x-budget-remaining')).toBe('0');
    const refused = await run();
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      message: expect.stringContaining('he budget of tokens for your organization is used up'),
    });
    const secondsLeft = (86_400_000 - (Date.now() % 86_400_000)) / 1000;
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(Math.abs(retryAfter - secondsLeft)).toBeLessThan(5);
    expect(await listed()).toMatchObject([{ used: 100, reserved: 0 }]);
  });

  it('has no Retry-After without a period, and no header for a run that it does not count', async () => {
    await created({ limit: 1, period: 'TOTAL', scope: 'USER', scopeId: setting.owner.id });
    expect((await run()).status).toBe(200);
    const refused = await run();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeNull();
    const other = await personIn(setting.app, setting.organization);
    await share(setting.owner, setting.assistantId, 'VIEW');
    const counted = await run(other);
    expect(counted.status).toBe(200);
    expect(counted.headers.get('x-budget-remaining')).toBeNull();
  });

  it('refuses a later step of a run: as the answer, and as the error event of a stream', async () => {
    const tool = { name: 'calculate', input: { expression: '1 + 1' } };
    setting.provider.now(({ messages: sent }) =>
      sent.some(({ role }) => role === 'tool') ? { text: 'Two.' } : { toolCalls: [tool] },
    );
    await created({ limit: 12, period: 'TOTAL' });
    expect(errorOf(await run())).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
    await setting.app.database.sql`update budgets set used = 0`;
    const response = await stream();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-budget-remaining')).toMatch(/^\d+$/);
    expect(await response.text()).toMatch(/event: error\ndata: .*"code":"BUDGET_EXHAUSTED"/);
    const refused = await stream();
    expect(refused.status).toBe(429);
    await refused.text();
    expect(await listed()).toMatchObject([{ reserved: 0 }]);
  });

  it('refuses the OpenAI interface in its own form', async () => {
    await created({ limit: 1, period: 'TOTAL' });
    const chat = () =>
      setting.owner.call('POST', '/api/openai/v1/chat/completions', {
        model: setting.assistantId,
        messages,
      });
    const first = await chat();
    expect(first.headers.get('x-budget-remaining')).toBe('0');
    const refused = await chat();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error: { type: 'rate_limit_error', param: null, code: 'budget_exhausted' },
    });
  });

  it('refuses a durable run when it is accepted, and keeps nothing of it', async () => {
    await created({ limit: 1, period: 'TOTAL' });
    expect((await run()).status).toBe(200);
    const { sql } = setting.app.database;
    const before = await sql`select id from runs`;
    const refused = await setting.owner.call(
      'POST',
      path(),
      { messages },
      { prefer: 'respond-async' },
    );
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
    expect(await sql`select id from runs`).toEqual(before);
  });

  it('says in the answer to a durable run what is left of it', async () => {
    await created({ limit: 7, metric: 'RUNS' });
    const accepted = await setting.owner.call(
      'POST',
      path(),
      { messages },
      { prefer: 'respond-async' },
    );
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('x-budget-remaining')).toBe('7');
    const id = String(accepted.body['runId']);
    await setting.owner.call('DELETE', `/api/assistants/v1/runs/${id}`);
  });

  it('refuses mutations of the graph with its code', async () => {
    await created({ limit: 1, metric: 'RUNS' });
    const send = () =>
      setting.owner.graph(
        'mutation ($id: ID!) { runAssistant(input: { assistantId: $id, messages: [{ user: "Hi" }] }) { run { text } } }',
        { id: setting.assistantId },
      );
    expect((await send()).errors).toEqual([]);
    expect((await send()).errors[0]?.extensions).toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('counts a run that fails for nothing', async () => {
    await created({ limit: 1, metric: 'RUNS' });
    setting.provider.now(() => (response) => void response.writeHead(400).end('{}'));
    expect((await run()).status).toBe(502);
    expect(await listed()).toMatchObject([{ used: 0, reserved: 0 }]);
  });

  describe('counts a run that its caller cancels by what was reserved and written', () => {
    const written = '\0Twenty-eight days. '.repeat(38);
    const hold = () =>
      setting.provider.now(() => (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunkOf('large', { content: `${written}\n` }));
      });
    beforeAll(() => setting.app.startProcessing());
    const expectCounted = async () => {
      await expect
        .poll(async () => (await listed()).map(({ reserved }) => reserved))
        .toEqual([0, 0, 0]);
      const used = Object.fromEntries(
        (await listed()).map((budget) => [Object(budget).metric, budget.used]),
      );
      expect(used['RUNS']).toBe(1);
      // The provider writes 760 characters, and the last ones may not have arrived.
      expect(used['TOKENS']).toBeGreaterThan(150);
      expect(used['COST']).toBeGreaterThan(0.15);
    };
    beforeEach(async () => {
      for (const metric of ['RUNS', 'TOKENS', 'COST']) await created({ limit: 1000, metric });
      hold();
    });

    it('of a stream', async () => {
      const response = await stream();
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('Twenty')) text += String((await reader?.read())?.value ?? '');
      await reader?.cancel();
      await expectCounted();
    });

    it.each(['cancel', 'delete'])('that is durable: %s', async (way) => {
      const accepted = await setting.owner.call(
        'POST',
        path(),
        { messages },
        { prefer: 'respond-async' },
      );
      const id = String(accepted.body['runId']);
      await expect
        .poll(async () => {
          const events = await setting.app.database.sql<{ data: string }>`
            select data from run_events where run_id = ${id} and data like '{"type":"text"%'`;
          return events.length;
        })
        .toBeGreaterThan(0);
      const address = `/api/assistants/v1/runs/${id}`;
      const { status } = await (way === 'cancel'
        ? setting.owner.call('POST', `${address}/cancel`)
        : setting.owner.call('DELETE', address));
      expect(status).toBe(200);
      await expectCounted();
    });
  });

  it('counts a run whose answer cannot be checked against its schema', async () => {
    await created({ limit: 1000, metric: 'TOKENS' });
    setting.provider.now(() => ({
      text: JSON.stringify(`${'a'.repeat(40)}!`),
      usage: { prompt_tokens: 90, completion_tokens: 10 },
    }));
    const output = { schema: { type: 'string', pattern: '^(a+)+$' } };
    const refused = await setting.owner.call('POST', path(), { messages, output });
    expect(errorOf(refused)).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('use a simpler schema'),
    });
    expect(await listed()).toMatchObject([{ used: 100, reserved: 0 }]);
  });

  it('gets back what was reserved for a question that its conversation does not take', async () => {
    await created({ metric: 'RUNS', limit: 5 });
    const conversationId = await conversationsOf(setting.owner).create(setting.assistantId, 'Full');
    await setting.app.database.sql`
      update conversations set characters = 1000000000 where id = ${conversationId}`;
    const refused = await setting.owner.call('POST', path(), { messages, conversationId });
    expect(errorOf(refused)).toMatchObject({ code: 'CONFLICT' });
    expect(await listed()).toMatchObject([{ used: 0, reserved: 0 }]);
  });

  it('begins again with its period', async () => {
    await created({ limit: 1 });
    await run();
    expect((await run()).status).toBe(429);
    await setting.app.database.sql`
      update budgets set period_start = period_start - interval '1 day', notified_percent = 100`;
    expect(await listed()).toMatchObject([{ used: 0 }]);
    expect((await run()).status).toBe(200);
    expect(await listed()).toMatchObject([{ used: 100 }]);
  });

  it('gets back what a killed process has reserved, once the reservation lapses', async () => {
    const { id } = await created({ limit: 1, metric: 'RUNS' });
    const { organization, app } = setting;
    await app.database.sql`update budgets set reserved = 1`;
    await app.database.sql`
      insert into budget_reservations (budget_id, run_id, organization_id, amount, expires_at)
      values (${id}, 'killed', ${organization.id}, 1, ${new Date(Date.now() + 60_000)})`;
    expect((await run()).status).toBe(429);
    expect(await listed()).toMatchObject([{ reserved: 1 }]);
    await app.database.sql`update budget_reservations set expires_at = now() - interval '1 second'`;
    expect(await listed()).toMatchObject([{ reserved: 0 }]);
    expect((await run()).status).toBe(200);
    expect(await listed()).toMatchObject([{ used: 1, reserved: 0 }]);
  });

  it('of costs counts the price of the model', async () => {
    await created({ limit: 0.03, metric: 'COST', period: 'MONTH' });
    const answer = await run();
    expect(answer.headers.get('x-budget-remaining')).toBe('0.011');
    expect(await listed()).toMatchObject([{ used: 0.019, limit: 0.03 }]);
    expect((await run()).headers.get('x-budget-remaining')).toBe('0');
    expect((await run()).status).toBe(429);
  });

  it('of another process is known within a second', async () => {
    const twin = await setting.app.twin();
    const runThere = () => twin.callerWith(setting.owner.key)('POST', path(), { messages });
    expect((await runThere()).status).toBe(200);
    await created({ limit: 1, metric: 'RUNS' });
    await run();
    await pause(1_000);
    expect((await runThere()).status).toBe(429);
  });
});

describe('The scope of a budget', () => {
  it.each(['TEAM', 'USER', 'KEY', 'ASSISTANT'])('%s counts its runs only', async (scope) => {
    const { organization, app } = setting;
    const [person, other] = [await personIn(app, organization), await personIn(app, organization)];
    const assistantId = await assistantOf(person, { name: 'Own' });
    await share(person, assistantId, 'VIEW');
    const team = await organization.manage('POST', '/teams', { name: `Team of ${person.id}` });
    const teamId = Object(team.body['team']).id;
    await organization.manage('POST', `/teams/${teamId}/users`, { userId: person.id });
    const [key] = await app.database.sql<{ id: string }>`
      select id from api_keys where user_id = ${person.id}`;
    const ids = { TEAM: teamId, USER: person.id, KEY: key?.id, ASSISTANT: assistantId };
    await created({ scope, scopeId: ids[scope as keyof typeof ids], metric: 'RUNS', limit: 1 });
    expect((await run(person, assistantId)).status).toBe(200);
    expect((await run(person, assistantId)).status).toBe(429);
    expect((await run(other, assistantId)).status).toBe(scope === 'ASSISTANT' ? 429 : 200);
    await share(setting.owner, setting.assistantId, 'VIEW');
    expect((await run(person)).status).toBe(scope === 'ASSISTANT' ? 200 : 429);
  });
});

describe('Administrators', () => {
  it('get a mail at 80 % and one at 100 %, each once in a period, while a budget that warns lets runs continue', async () => {
    const { administratorId } = setting.organization;
    const [user] = await setting.app.database.sql<{ email: string }>`
      select email from users where id = ${administratorId}`;
    const to = user?.email ?? '';
    const { notify } = setting.app.contextParts.budgets;
    // Mails about the budgets of earlier tests may still be on their way.
    await notify();
    await pause(300);
    mail.mails.length = 0;
    await created({ limit: 240, mode: 'WARN' });
    const mailsAfterRun = async () => {
      const answer = await run();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-budget-remaining')).toBeNull();
      await notify();
    };
    await mailsAfterRun();
    await mailsAfterRun();
    expect((await mail.nextAbout(to, '80 % of a budget are used')).text).toContain(
      'Now 200 are used',
    );
    await mailsAfterRun();
    const last = await mail.nextAbout(to, 'A budget is used up');
    expect(last.text).toContain('runs continue');
    await mailsAfterRun();
    await pause(200);
    expect(mail.mails).toEqual([]);
  });

  it('change and delete budgets, and the audit log has each change', async () => {
    const { id } = await created({ limit: 1, metric: 'RUNS' });
    await run();
    const change = `mutation ($id: ID!, $limit: Decimal, $mode: BudgetMode) {
      updateBudget(input: { budgetId: $id, limit: $limit, mode: $mode }) { budget { ${fields} } } }`;
    const raised = await administrator.graph(change, { id, limit: 2 });
    expect(raised.data).toMatchObject({ updateBudget: { budget: { limit: 2, used: 1 } } });
    expect((await run()).status).toBe(200);
    await administrator.graph(change, { id, mode: 'WARN' });
    expect((await run()).status).toBe(200);
    const remove =
      'mutation ($id: ID!) { deleteBudget(input: { budgetId: $id }) { deletedBudgetId } }';
    expect((await administrator.graph(remove, { id })).data).toEqual({
      deleteBudget: { deletedBudgetId: id },
    });
    expect((await administrator.graph(remove, { id })).code).toBe('NOT_FOUND');
    expect((await administrator.graph(change, { id, limit: 3 })).code).toBe('NOT_FOUND');
    const entries = await setting.app.database.sql<{ action: string }>`
      select action from audit_entries where target_id = ${id} and actor_kind <> 'SYSTEM' order by at, id`;
    expect(entries.map(({ action }) => action)).toEqual([
      'create-budget',
      ...['update-budget', 'update-budget', 'delete-budget'],
    ]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: 1e16 }, 'limit'],
    [{ limit: 0.0000001, metric: 'COST' }, 'limit'],
    [{ limit: 1, scope: 'TEAM' }, 'scopeId'],
    [{ limit: 1, scopeId: 'a team' }, 'scopeId'],
  ])('cannot create a budget of %o: the error names %s', async (input, field) => {
    const { errors, code } = await create(input);
    expect(code).toBe('BAD_INPUT');
    expect(errors[0]?.extensions?.errors).toMatchObject([{ path: ['input', field] }]);
  });

  it('of another organization see nothing of a budget, and cannot name its members', async () => {
    const { id } = await created({ limit: 1 });
    const rival = await setting.app.organization();
    const session = await signIn(setting.app, rival.administratorId);
    const { data } = await session.graph('{ budgets { totalCount nodes { id } } }');
    expect(data).toEqual({ budgets: { totalCount: 0, nodes: [] } });
    for (const mutation of [
      'mutation ($id: ID!) { updateBudget(input: { budgetId: $id, limit: 5 }) { budget { id } } }',
      'mutation ($id: ID!) { deleteBudget(input: { budgetId: $id }) { deletedBudgetId } }',
    ])
      expect((await session.graph(mutation, { id })).code).toBe('NOT_FOUND');
    const ids = { TEAM: setting.organization.defaultTeamId, USER: setting.owner.id };
    for (const [scope, scopeId] of Object.entries({ ...ids, ASSISTANT: setting.assistantId }))
      expect((await create({ scope, scopeId, limit: 1 }, session)).code).toBe('NOT_FOUND');
    const member = await signIn(setting.app, setting.owner.id);
    expect((await create({ limit: 1 }, member)).code).toBe('FORBIDDEN');
    expect((await member.graph('{ budgets { totalCount } }')).code).toBe('FORBIDDEN');
  });
});

const stream = () =>
  fetch(`${setting.url}${path()}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${setting.owner.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ messages }),
  });
