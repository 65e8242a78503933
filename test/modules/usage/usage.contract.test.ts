import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf } from '../../support/answers.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let setting: RunApp;
let administrator: TestSession;

beforeAll(async () => {
  setting = await runApp({
    ORGANIZATION_KEY_LIMIT: '100000',
    MODEL_CAPABILITIES: JSON.stringify({ unpriced: {} }),
    MODEL_PRICES: JSON.stringify({
      currency: 'EUR',
      models: {
        large: { input: '100', output: '1000' },
        embedder: { input: '10', output: '0' },
      },
    }),
  });
  administrator = await signIn(setting.app, setting.organization.administratorId);
});
afterAll(() => setting.close());
beforeEach(async () => {
  const { database } = setting.app;
  await database.sql`delete from usage_entries`;
  await database.sql`delete from usage_totals`;
  setting.provider.now(() => ({
    text: 'Hello.',
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }));
});

const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const run = async (person = setting.owner, assistantId = setting.assistantId) => {
  const { status } = await person.call('POST', `/api/assistants/v1/${assistantId}/run`, {
    messages,
  });
  expect(status).toBe(200);
};
const usagePath = '/api/usage/v1/usage';
const get = (query = '') => setting.organization.call('GET', `${usagePath}${query}`);
const rowsOf = async (query = '') => {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  return body['usage'] as Record<string, unknown>[];
};
/** An answer that is no JSON, over a socket. */
const getText = (query: string, key = setting.organization.key) =>
  fetch(`${setting.url}${usagePath}${query}`, { headers: { authorization: `Bearer ${key}` } });
const today = () => new Date().toISOString().slice(0, 10);
const noValues = { assistantId: null, userId: null, keyId: null, model: null };
const counts = (runs: number, steps: number, promptTokens: number, completionTokens: number) => ({
  ...{ runs, steps, promptTokens, completionTokens, cachedTokens: 0, embeddingTokens: 0 },
});

/** A day of entries, which no run has written. */
async function entry(fields: { at: string; userId?: string; model?: string; run?: string }) {
  const { at, userId = setting.owner.id, model = 'large', run: runId = `run at ${at}` } = fields;
  await setting.app.database.sql`
    insert into usage_entries (run_id, step, organization_id, at, assistant_id, user_id, key_id, model, prompt_tokens, completion_tokens, cached_tokens, cost)
    values (${runId}, 1, ${setting.organization.id}, ${at}::timestamptz, ${setting.assistantId}, ${userId}, 'a key', ${model}, 5, 1, 2, 0.1)`;
}

describe('GET /api/usage/v1/usage', () => {
  it('A run has used the tokens of all its steps, at the price of its model', async () => {
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    await run();
    const rows = await rowsOf();
    expect(rows).toEqual([
      {
        ...{ day: today(), ...noValues, ...counts(1, 2, 20, 10) },
        cost: 0.012,
        currency: 'EUR',
      },
    ]);
  });

  it('What a provider counts for the embedding of the queries belongs to the steps that search', async () => {
    const { owner, assistantId, vault, provider } = setting;
    const searchFor = (query: string) => ({ name: 'search_knowledge', input: { query } });
    const search = searchFor('vacation');
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    for (const [model, cost] of [
      ['embedder', 0.06 + 0.0003],
      ['without a price', 0.06],
    ] as const) {
      vault.countEmbedding({ model, tokens: 10 });
      let turn = 0;
      provider.now(() => {
        turn += 1;
        if (turn === 1) return { toolCalls: [search, searchFor('days')], usage };
        if (turn === 2) return { toolCalls: [search], usage };
        return { text: 'You get 30 days [1].', usage };
      });
      await run(owner, assistantId);
      const [row] = await rowsOf();
      expect(row).toMatchObject({ ...counts(1, 3, 300, 30), embeddingTokens: 30 });
      expect(row?.['cost']).toBeCloseTo(cost, 9);
      const steps = await setting.app.database.sql<{ tokens: number }>`
        select embedding_tokens as tokens from usage_entries order by step`;
      expect(steps.map(({ tokens }) => tokens)).toEqual([20, 10, 0]);
      await setting.app.contextParts.usage.keeper.keep();
      expect((await rowsOf())[0]).toMatchObject({ embeddingTokens: 30 });
      await setting.app.database.sql`delete from usage_entries`;
      await setting.app.database.sql`delete from usage_totals`;
    }
    vault.countEmbedding(undefined);
  });

  it('What runs have used is the same before and after it is added to the kept totals', async () => {
    const other = await personIn(setting.app, setting.organization);
    await share(setting.owner, setting.assistantId, 'VIEW');
    await run();
    await run(other);
    const queries = [
      ...['', '?groupBy=day', '?groupBy=assistant', '?groupBy=user', '?groupBy=key'],
      ...['?groupBy=model', '?groupBy=day,user', '?groupBy=day,assistant,user,key,model'],
    ];
    const before = await Promise.all(queries.map(rowsOf));
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 2, 2, 1, 2, 2]);
    await setting.app.contextParts.usage.keeper.keep();
    const [{ uncounted } = { uncounted: -1 }] = await setting.app.database.sql<{
      uncounted: number;
    }>`select count(*)::int as uncounted from usage_entries where not is_counted`;
    expect(uncounted).toBe(0);
    expect(await Promise.all(queries.map(rowsOf))).toEqual(before);
    await run();
    expect(await rowsOf()).toMatchObject([counts(3, 3, 300, 30)]);
  });

  it('Rows have the values that they are grouped by, and null for the others', async () => {
    await run();
    const [row] = await rowsOf('?groupBy=day,assistant,user,key,model');
    expect(row).toEqual({
      day: today(),
      assistantId: setting.assistantId,
      userId: setting.owner.id,
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      model: 'large',
      ...counts(1, 1, 100, 10),
      cost: 0.02,
      currency: 'EUR',
    });
    expect(await rowsOf('?groupBy=user')).toEqual([
      { ...row, day: null, assistantId: null, keyId: null, model: null },
    ]);
  });

  it('A run of a signed-in person has no key', async () => {
    const session = await signIn(setting.app, setting.owner.id);
    await session.graph(
      `mutation ($id: ID!) { runAssistant(input: { assistantId: $id, messages: [{ user: "Hi" }] }) { run { text } } }`,
      { id: setting.assistantId },
    );
    expect(await rowsOf('?groupBy=key')).toMatchObject([{ keyId: null, runs: 1 }]);
  });

  it('until is exclusive, and days are those of UTC', async () => {
    await entry({ at: '2026-01-01T00:00:00.000Z' });
    await entry({ at: '2026-01-01T23:59:59.999Z' });
    await entry({ at: '2026-01-02T00:00:00.000Z' });
    for (const isKept of [false, true]) {
      if (isKept) await setting.app.contextParts.usage.keeper.keep();
      expect(await rowsOf('?from=2026-01-01&until=2026-01-02')).toMatchObject([
        { day: '2026-01-01', ...counts(2, 2, 10, 2), cachedTokens: 4, cost: 0.2 },
      ]);
      expect(await rowsOf('?from=2026-01-01&until=2026-01-03')).toHaveLength(2);
    }
    const { body } = await get('?from=2026-01-01T00:00:00Z&until=2026-01-03T00:00:00Z');
    expect(body).toMatchObject({ status: 'success', from: '2026-01-01', until: '2026-01-03' });
  });

  it('Without a range it answers the last 30 days, today included', async () => {
    const { body } = await get();
    const days =
      (Date.parse(String(body['until'])) - Date.parse(String(body['from']))) / 86_400_000;
    expect(days).toBe(30);
    expect(Date.parse(String(body['until'])) - Date.parse(today())).toBe(86_400_000);
  });

  it('A model without a price has no cost, and the cost of others is the sum', async () => {
    await run();
    const assistantId = await assistantOf(setting.owner, { model: 'unpriced' });
    await run(setting.owner, assistantId);
    expect(await rowsOf('?groupBy=model')).toMatchObject([
      { model: 'large', cost: 0.02 },
      { model: 'unpriced', cost: null, currency: 'EUR' },
    ]);
    expect(await rowsOf()).toMatchObject([{ cost: 0.02, runs: 2 }]);
  });

  it('CSV has the same rows, with a row of names', async () => {
    for (let day = 1; day <= 20; day += 1)
      await entry({ at: `2026-02-${String(day).padStart(2, '0')}T10:00:00Z` });
    const query = 'from=2026-02-01&until=2026-03-01&groupBy=day,user';
    const json = await rowsOf(`?${query}`);
    const csv = await getText(`?${query}&format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="usage.csv"');
    const lines: Record<string, string>[] = parse(await csv.text(), { columns: true });
    expect(lines).toEqual(
      json.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
        ),
      ),
    );
    expect(lines).toHaveLength(20);
  });

  it.each([
    ['?from=yesterday', 'from', 'INVALID_FORMAT'],
    ['?from=2026-02-30', 'from', 'INVALID'],
    ['?from=2026-02-01T10:00:00Z', 'from', 'INVALID'],
    ['?from=2026-02-02&until=2026-02-02', 'until', 'OUT_OF_RANGE'],
    ['?from=2026-02-02&until=2026-02-01', 'until', 'OUT_OF_RANGE'],
    ['?from=2025-01-01&until=2026-01-03', 'from', 'OUT_OF_RANGE'],
    ['?from=2026-01-01&until=2026-02-02&groupBy=user,model', 'from', 'OUT_OF_RANGE'],
    ['?groupBy=team', 'groupBy', 'UNKNOWN_VALUE'],
    ['?groupBy=', 'groupBy', 'UNKNOWN_VALUE'],
    ['?format=xml', 'format', 'UNKNOWN_VALUE'],
  ])('%s is 400, and the error names %s', async (query, field, code) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({ code: 'BAD_INPUT', errors: [{ field, code }] });
  });

  it('A time at the beginning or the end of the calendar has no usage', async () => {
    for (const query of [
      '?until=0001-01-15',
      '?until=0001-02-15&groupBy=user',
      '?from=9999-12-30&until=9999-12-31',
    ]) {
      expect(await get(query)).toMatchObject({ status: 200, body: { usage: [] } });
      const rows = await getText(`${query}&format=ndjson`);
      expect([rows.status, await rows.text()]).toEqual([200, '']);
    }
    expect(errorOf(await get('?until=0001-01-01')).code).toBe('BAD_INPUT');
  });

  it('A user key is refused with 401', async () => {
    expect((await setting.owner.call('GET', usagePath)).status).toBe(401);
  });

  it('Another organization sees nothing of it', async () => {
    await run();
    const rival = await setting.app.organization();
    const query = `?groupBy=user`;
    expect((await rival.call('GET', usagePath + query)).body['usage']).toEqual([]);
    expect(await (await getText(`${query}&format=ndjson`, rival.key)).text()).toBe('');
  });
});

describe('Usage in the graph', () => {
  const fields = '{ from until rows { day userId model runs promptTokens cost currency } }';

  it('An administrator reads the usage of the organization', async () => {
    await run();
    const { data } = await administrator.graph(`{ usage(groupBy: [USER]) ${fields} }`);
    expect(data?.['usage']).toMatchObject({
      rows: [{ day: null, userId: setting.owner.id, runs: 1, promptTokens: 100, cost: 0.02 }],
    });
    const all = await administrator.graph(`{ usage(groupBy: []) ${fields} }`);
    expect(all.data?.['usage']).toMatchObject({ rows: [{ day: null, userId: null, runs: 1 }] });
  });

  it('A member reads their own usage, and not that of the organization', async () => {
    const other = await personIn(setting.app, setting.organization);
    await share(setting.owner, setting.assistantId, 'VIEW');
    await run();
    await run(other);
    for (const isKept of [false, true]) {
      if (isKept) await setting.app.contextParts.usage.keeper.keep();
      const own = await other.graph(`{ myUsage ${fields} }`);
      expect(own.data?.['myUsage']).toMatchObject({ rows: [{ day: today(), runs: 1 }] });
      const models = await other.graph(`{ myUsage(groupBy: [MODEL]) ${fields} }`);
      expect(models.data?.['myUsage']).toMatchObject({ rows: [{ model: 'large', runs: 1 }] });
    }
    const { errors } = await other.graph(`{ usage ${fields} }`);
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN');
    const member = await signIn(setting.app, other.id);
    expect((await member.graph(`{ usage ${fields} }`)).code).toBe('FORBIDDEN');
    const key = await setting.app.graph(setting.organization.key, `{ myUsage ${fields} }`);
    expect(key.errors[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('The usage of a deleted account stays without its id', async () => {
    const other = await personIn(setting.app, setting.organization);
    await entry({ at: '2026-03-01T10:00:00Z', userId: other.id });
    await entry({ at: '2026-03-01T11:00:00Z', userId: other.id });
    await setting.app.contextParts.usage.keeper.keep();
    await entry({ at: '2026-03-01T12:00:00Z', userId: other.id });
    await entry({ at: '2026-03-01T13:00:00Z' });
    const query = '?from=2026-03-01&until=2026-03-02&groupBy=user';
    const named = await rowsOf(query);
    expect(named.find(({ userId }) => userId === other.id)).toMatchObject({ runs: 3 });
    const session = await signIn(setting.app, other.id);
    const { errors } = await session.graph(
      `mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }`,
      { email: other.email },
    );
    expect(errors).toEqual([]);
    const expected = [
      { userId: setting.owner.id, runs: 1 },
      { userId: null, runs: 3 },
    ];
    expect(await rowsOf(query)).toMatchObject(expected);
    // A run that ends after the deletion still knows the id.
    await entry({ at: '2026-03-01T14:00:00Z', userId: other.id });
    await setting.app.contextParts.usage.keeper.keep();
    expect(await rowsOf(query)).toMatchObject([expected[0], { userId: null, runs: 4 }]);
    const left = await setting.app.database.sql`
      select from usage_entries where user_id = ${other.id}
      union all select from usage_totals where value = ${other.id}
      union all select from usage_erasures`;
    expect(left).toHaveLength(0);
  });
});
