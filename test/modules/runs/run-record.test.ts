import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/platform/errors.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { runOf } from '../../support/runs.ts';

let setting: RunApp;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '20' });
});
afterAll(() => setting.close());
beforeEach(async () => {
  await setting.app.database.sql`delete from runs`;
});

const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const path = () => `/api/assistants/v1/${setting.assistantId}/run`;
const run = () => setting.owner.call('POST', path(), { messages });

type RunRow = {
  id: string;
  userId: string;
  keyId: string;
  assistantId: string;
  state: string;
  model: string;
  isEnded: boolean;
  stepCount: number;
  promptTokens: number;
  completionTokens: number;
  errorCode: string | null;
};
const records = () =>
  setting.app.database.sql<RunRow>`
    select id, user_id as "userId", key_id as "keyId", assistant_id as "assistantId", state, model, ended_at >= started_at as "isEnded",
      step_count as "stepCount", prompt_tokens as "promptTokens", completion_tokens as "completionTokens", error_code as "errorCode"
    from runs`;

describe('The record of a run', () => {
  it('A completed run has its caller, model, tokens, and one row for each step', async () => {
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    const { body } = await run();
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      userId: setting.owner.id,
      keyId: expect.any(String),
      assistantId: setting.assistantId,
      state: 'COMPLETED',
      model: 'large',
      isEnded: true,
      stepCount: 2,
      errorCode: null,
    });
    expect(record).toMatchObject(Object(body['usage']));
    const steps = await setting.app.database.sql<{ number: number; tokens: number }>`
      select number, prompt_tokens + completion_tokens as tokens from run_steps order by number`;
    expect(steps.map(({ number }) => number)).toEqual([1, 2]);
    expect(steps.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
      (record?.promptTokens ?? 0) + (record?.completionTokens ?? 0),
    );
  });

  it('A streamed run has the same record', async () => {
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    const response = await stream(new AbortController().signal);
    await response.text();
    expect(await records()).toMatchObject([{ state: 'COMPLETED', stepCount: 2, isEnded: true }]);
  });

  it('A run whose provider fails is FAILED with the code of its error', async () => {
    setting.provider.now(() => (response) => void response.writeHead(400).end('{}'));
    expect((await run()).status).toBe(502);
    expect(await records()).toMatchObject([
      { state: 'FAILED', errorCode: 'PROVIDER_FAILED', isEnded: true, stepCount: 0 },
    ]);
  });

  it('A run whose client disconnects is CANCELLED', async () => {
    setting.provider.now(() => ({ text: 'Never.', afterMs: 60_000 }));
    const client = new AbortController();
    const response = stream(client.signal);
    await expect.poll(() => records()).toMatchObject([{ state: 'RUNNING' }]);
    client.abort();
    await response.then((answer) => answer.text()).catch(() => undefined);
    await expect
      .poll(() => records(), { timeout: 5_000 })
      .toMatchObject([{ state: 'CANCELLED', isEnded: true }]);
  });

  it('A run that takes longer is RUNNING with its finished steps, whether it streams or not', async () => {
    for (const begin of [run, () => stream(new AbortController().signal)]) {
      await setting.app.database.sql`delete from runs`;
      setting.provider.now((_, call) =>
        call === 1
          ? { toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }] }
          : { text: 'You get 30 days of vacation [1].', afterMs: 1_500 },
      );
      const response = begin();
      await expect
        .poll(() => records(), { timeout: 5_000, interval: 20 })
        .toMatchObject([{ state: 'RUNNING', stepCount: 1, isEnded: null }]);
      const answer = await response;
      if (answer instanceof Response) await answer.text();
      const [record] = await records();
      expect(record).toMatchObject({ state: 'COMPLETED', stepCount: 2 });
      const [steps] = await setting.app.database.sql<{ tokens: number }>`
        select sum(prompt_tokens + completion_tokens)::int as tokens from run_steps`;
      expect(steps?.tokens).toBe((record?.promptTokens ?? 0) + (record?.completionTokens ?? 0));
    }
  });

  it('The end of a run has the same audit entry and columns, whether its start was written before or with it', async () => {
    const entryOf = async (afterMs: number, fails: boolean) => {
      await setting.app.database.sql`delete from runs`;
      setting.provider.now(() =>
        fails
          ? (response) => setTimeout(() => response.writeHead(400).end('{}'), afterMs)
          : { text: 'Thirty.', afterMs },
      );
      await run();
      const [record] = await setting.app.database.sql<{ id: string; record: object }>`
        select id, to_jsonb(r) - '{id,created_at,started_at,ended_at}'::text[] as record from runs r`;
      const entries = await setting.app.database.sql`
        select e.organization_id, e.actor_kind, e.action, e.target_type, e.changes, e.at = r.ended_at as "isAtEnd"
        from audit_entries e join runs r on r.id = e.target_id where e.target_id = ${record?.id ?? ''}`;
      expect(entries).toHaveLength(1);
      return { record: record?.record, entries };
    };
    for (const fails of [false, true])
      expect(await entryOf(0, fails)).toEqual(await entryOf(1_000, fails));
  });

  it('A run that is refused before it starts has no record', async () => {
    expect((await setting.owner.call('POST', path(), { messages: [] })).status).toBe(400);
    expect(await records()).toEqual([]);
  });

  const stream = (signal: AbortSignal) =>
    fetch(`${setting.url}${path()}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${setting.owner.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ messages }),
      signal,
    });
});

describe.each([
  { streams: true, name: 'A streamed run' },
  { streams: false, name: 'A run with one answer' },
])('The observer of $name', ({ streams }) => {
  const calculate = { name: 'calculate', input: { expression: '1 + 1' } };
  const settings = () => ({
    MODEL_BASE_URL: setting.provider.baseUrl,
    MODEL_API_KEY: 'k',
    MODEL_DEFAULT: 'large',
  });

  it('A step begins only after the step before it was observed', async () => {
    const order: string[] = [];
    setting.provider.now((_, call) => {
      order.push(`call ${call}`);
      return call < 3 ? { toolCalls: [calculate] } : { text: 'Two.' };
    });
    await runOf({
      settings: settings(),
      streams,
      observer: {
        beforeStep: async ({ number }) => void order.push(`before ${number}`),
        async stepEnded({ number, requestsTools }) {
          await pause(20);
          order.push(`ended ${number}${requestsTools ? ' with tools' : ''}`);
        },
      },
    });
    expect(order).toEqual([
      ...['before 1', 'call 1', 'ended 1 with tools'],
      ...['before 2', 'call 2', 'ended 2 with tools'],
      ...['before 3', 'call 3', 'ended 3'],
    ]);
  });

  it('An error before a step ends the run, and the model is not called again', async () => {
    let calls = 0;
    setting.provider.now(() => {
      calls += 1;
      return { toolCalls: [calculate] };
    });
    const refusal = new AppError('RATE_LIMITED', 'Enough');
    await expect(
      runOf({
        settings: settings(),
        streams,
        observer: {
          beforeStep: async ({ number }) => {
            if (number === 2) throw refusal;
          },
          stepEnded: async () => undefined,
        },
      }),
    ).rejects.toBe(refusal);
    expect(calls).toBe(1);
  });

  it('An error after a step ends the run, and the model is not called again', async () => {
    let calls = 0;
    setting.provider.now(() => {
      calls += 1;
      return { toolCalls: [calculate] };
    });
    const fault = new AppError('UNAVAILABLE', 'The database is gone');
    await expect(
      runOf({
        settings: settings(),
        streams,
        observer: {
          beforeStep: async () => undefined,
          stepEnded: async () => {
            throw fault;
          },
        },
      }),
    ).rejects.toBe(fault);
    expect(calls).toBe(1);
  });
});
