import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepRuns } from '../../../src/modules/runs/durable/sweep-runs.ts';
import { chunkOf } from '../../support/model-provider.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { eventsIn, textOf } from '../../support/run-events.ts';

let setting: RunApp;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '60' });
  setting.app.startProcessing();
});
afterAll(() => setting.close());
beforeEach(() => setting.provider.now(() => ({ text: 'Hello.' })));
afterEach(async () => {
  await setting.app.database.sql`delete from runs`;
});

const question = { messages: [{ role: 'user', content: 'How many days of vacation do I get?' }] };
const runs = '/api/assistants/v1/runs';
const runPath = () => `/api/assistants/v1/${setting.assistantId}/run`;
const startedId = async () => {
  const { body } = await setting.owner.call('POST', runPath(), question, {
    prefer: 'respond-async',
  });
  return String(body['runId']);
};
const get = async (id: string, query = '') =>
  Object((await setting.owner.call('GET', `${runs}/${id}${query}`)).body['run']);
const storedEvents = async (id: string) => {
  const response = await fetch(`${setting.url}${runs}/${id}/events`, {
    headers: { authorization: `Bearer ${setting.owner.key}`, accept: 'text/event-stream' },
  });
  return eventsIn(await response.text());
};

/** The lease of the run ends as that of a killed process does, while its process still executes it. */
const endLease = (id: string) => setting.app.database.sql`
  update runs set lease_holder = 'killed', lease_until = to_timestamp(0) where id = ${id} and state = 'RUNNING'`;

/** Searches, and then writes the answer slowly. The first answer hangs in its middle. */
function searchThenHang(finish?: 'stop') {
  let answers = 0;
  setting.provider.now(({ model, messages }) => {
    if (messages.at(-1)?.role !== 'tool')
      return {
        toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }],
        ...(finish && { finish }),
      };
    answers += 1;
    const hangs = answers === 1;
    return (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunkOf(model, { content: hangs ? 'You might ' : 'You get 30 days ' }));
      if (hangs) return;
      response.write(chunkOf(model, { content: 'of vacation [1].' }));
      response.end(
        `${chunkOf(model, {}, 'stop', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })}data: [DONE]\n\n`,
      );
    };
  });
}

/** Ends the lease of the run while it writes its answer, and waits until another process ended it. */
async function interruptedInSecondStep(id: string) {
  await expect.poll(async () => (await get(id)).stepCount).toBe(1);
  await expect
    .poll(
      () =>
        setting.app.database
          .sql`select data from run_events where run_id = ${id} and data like '%might%'`,
    )
    .toHaveLength(1);
  await endLease(id);
  const run = await get(id, '?wait=25');
  expect(run).toMatchObject({ state: 'COMPLETED', stepCount: 2 });
  return run;
}

describe('A durable run whose process has lost it', () => {
  it('The run goes on after its last finished step: its search is not repeated, and its passages keep their numbers', async () => {
    searchThenHang();
    const id = await startedId();
    const run = await interruptedInSecondStep(id);
    expect(run.result).toMatchObject({
      text: 'You get 30 days of vacation [1].',
      citations: ['handbook.pdf#page=3'],
      usage: { promptTokens: 20, completionTokens: 10 },
    });
    expect(run.result.messages.map(({ role }: { role: string }) => role)).toEqual([
      'assistant',
      'tool',
      'assistant',
    ]);
    const searches = setting.provider.requests.filter(
      ({ messages }) => messages.at(-1)?.role !== 'tool',
    );
    expect(searches).toHaveLength(1);
    const events = await storedEvents(id);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => String(index + 1)));
    expect(events.filter(({ name }) => name === 'step').map(({ data }) => data)).toEqual([
      { number: 1, attempt: 1 },
      { number: 2, attempt: 1 },
      { number: 2, attempt: 2 },
    ]);
    expect(textOf(events)).toBe(run.result.text);
    const steps = await setting.app.database.sql<{ number: number }>`
      select number from run_steps where run_id = ${id} order by number`;
    expect(steps).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('The run goes on as well if the provider says "stop" at the end of a step with tool calls', async () => {
    searchThenHang('stop');
    const id = await startedId();
    const run = await interruptedInSecondStep(id);
    expect(run.result.text).toBe('You get 30 days of vacation [1].');
  });

  it('The process that has lost it stops its provider and writes nothing any more', async () => {
    searchThenHang();
    const id = await startedId();
    await expect.poll(async () => (await get(id)).stepCount).toBe(1);
    await pause(200);
    const abandoned = setting.provider.abandonedCount();
    await endLease(id);
    await get(id, '?wait=25');
    await expect.poll(() => setting.provider.abandonedCount()).toBe(abandoned + 1);
    const events = await storedEvents(id);
    expect(events.filter(({ name }) => name === 'done')).toHaveLength(1);
  });

  it('A run that stops forty times in the same step has failed', async () => {
    setting.provider.now(() => () => undefined);
    const id = await startedId();
    await expect.poll(() => setting.provider.requests.length).toBe(1);
    await setting.app.database.sql`update runs set attempts = 39 where id = ${id}`;
    await endLease(id);
    await expect.poll(() => setting.provider.requests.length).toBe(2);
    expect((await get(id)).state).toBe('RUNNING');
    await endLease(id);
    expect(await get(id, '?wait=25')).toMatchObject({
      state: 'FAILED',
      error: { code: 'RUN_INTERRUPTED' },
    });
  });

  it('A run whose vault cannot be reached waits for it, without counting its attempts', async () => {
    const own = await runApp();
    own.app.startProcessing();
    own.searchThenAnswer('Never.');
    await own.vault.stop();
    const path = `/api/assistants/v1/${own.assistantId}/run`;
    const { body } = await own.owner.call('POST', path, question, { prefer: 'respond-async' });
    await expect
      .poll(
        () => own.app.database.sql`
          select state, attempts, lease_holder as "leaseHolder", lease_until > clock_timestamp() as "isPostponed"
          from runs where started_at is not null and lease_holder is null`,
        { timeout: 20_000 },
      )
      .toEqual([{ state: 'RUNNING', attempts: 0, leaseHolder: null, isPostponed: true }]);
    const cancelled = await own.owner.call('POST', `${runs}/${body['runId']}/cancel`);
    expect(Object(cancelled.body['run']).state).toBe('CANCELLED');
    await own.close();
  });

  it.each([
    [
      'whose key is revoked',
      ({ keyId }: { keyId: string }) =>
        setting.app.database.sql`update api_keys set revoked_at = now() where id = ${keyId}`,
    ],
    [
      'with whom the assistant is no longer shared',
      ({ userId }: { userId: string }) =>
        setting.app.database.sql`delete from assistant_shares where user_id = ${userId}`,
    ],
  ])('A run of a person %s fails before its next step', async (_, endAccess) => {
    const { id: userId } = await setting.organization.member(`${randomUUID()}@runs.example`);
    const { id: keyId, key } = await setting.organization.userKey(userId);
    await setting.owner.graph(
      'mutation ($assistantId: ID!, $userId: ID) { shareAssistant(input: { assistantId: $assistantId, level: VIEW, userId: $userId }) { assistant { id } } }',
      { assistantId: setting.assistantId, userId },
    );
    setting.provider.now(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Done.' }
        : { toolCalls: [{ name: 'current_time', input: {} }], afterMs: 500 },
    );
    const call = setting.app.callerWith(key);
    const { body } = await call('POST', runPath(), question, { prefer: 'respond-async' });
    const id = String(body['runId']);
    await expect.poll(() => setting.provider.requests.length).toBe(1);
    await endAccess({ keyId, userId });
    const { sql } = setting.app.database;
    await expect
      .poll(() => sql`select state, error_code as "errorCode" from runs where id = ${id}`)
      .toEqual([{ state: 'FAILED', errorCode: 'FORBIDDEN' }]);
    expect(setting.provider.requests).toHaveLength(1);
  });
});

describe('The sweep of runs', () => {
  const sweep = () => sweepRuns(setting.app.contextParts);

  it('A plain run whose process has ended is FAILED as interrupted, and one in progress goes on', async () => {
    await setting.owner.call('POST', runPath(), question);
    const { sql } = setting.app.database;
    await sql`update runs set state = 'RUNNING', ended_at = null, lease_until = clock_timestamp() + interval '5 s'`;
    await sweep();
    const [{ id } = { id: '' }] = await sql<{ id: string }>`select id from runs`;
    expect((await get(id)).state).toBe('RUNNING');
    await sql`update runs set lease_until = to_timestamp(0)`;
    await sweep();
    expect(await get(id)).toMatchObject({
      state: 'FAILED',
      error: { code: 'RUN_INTERRUPTED', message: expect.any(String) },
    });
  });

  it('A durable run that nobody has executed for a day is EXPIRED, and its stream says so', async () => {
    const { sql } = setting.app.database;
    await sql`update organizations set concurrent_runs_max = 0 where id = ${setting.organization.id}`;
    const id = await startedId();
    await sql`update runs set created_at = created_at - interval '25 h'`;
    await sweep();
    await sql`update organizations set concurrent_runs_max = null where id = ${setting.organization.id}`;
    expect(await get(id)).toMatchObject({ state: 'EXPIRED', error: { code: 'RUN_EXPIRED' } });
    expect(await storedEvents(id)).toMatchObject([
      { id: '1', name: 'failed', data: { state: 'EXPIRED', code: 'RUN_EXPIRED' } },
    ]);
  });

  it('An answer that is stored for a repetition is deleted after a day', async () => {
    const { sql } = setting.app.database;
    const headers = { 'idempotency-key': 'kept-for-a-day' };
    await setting.owner.call('POST', runPath(), question, headers);
    const stored = () => sql`select key from idempotent_requests where key = 'kept-for-a-day'`;
    await sweep();
    expect(await stored()).toHaveLength(1);
    await sql`update idempotent_requests set expires_at = expires_at - interval '25 h'`;
    await sweep();
    expect(await stored()).toEqual([]);
  });

  it('Once the content of a run is deleted, its record remains', async () => {
    const id = await startedId();
    const { contentUntil, endedAt } = await get(id, '?wait=25');
    expect(Date.parse(contentUntil) - Date.parse(endedAt)).toBeLessThanOrEqual(86_400_000);
    await setting.app.database.sql`update runs set content_until = now() - interval '1 s'`;
    await sweep();
    expect(await get(id)).toMatchObject({ state: 'COMPLETED', stepCount: 1, result: null });
    expect((await setting.owner.call('GET', `${runs}/${id}/events`)).status).toBe(404);
  });
});
