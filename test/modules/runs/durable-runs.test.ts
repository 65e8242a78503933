import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import type { TestApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { withLostResponse } from '../../support/lost-response.ts';
import { chunkOf } from '../../support/model-provider.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { eventsIn, type ReceivedEvent, readStream, textOf } from '../../support/run-events.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';

let setting: RunApp;
let other: TestApp;
let otherServer: ServedApp;
let colleague: TestPerson;
let outsider: TestPerson;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '20', QUOTA_QUEUED_RUNS: '3' });
  setting.app.startProcessing();
  // A second process, which only receives requests.
  other = await setting.app.twin();
  otherServer = await serveApp(other);
  colleague = await personIn(setting.app, setting.organization);
  outsider = await personIn(setting.app, await setting.app.organization());
});
afterAll(async () => {
  otherServer.close();
  await setting.close();
});

const question = { messages: [{ role: 'user', content: 'How many days of vacation do I get?' }] };
const typedQuestion = { messages: [{ role: 'user' as const, content: 'How many days?' }] };
const runs = '/api/assistants/v1/runs';
const runPath = () => `/api/assistants/v1/${setting.assistantId}/run`;
const respondAsync = { prefer: 'respond-async' };
const start = (headers: Record<string, string> = {}) =>
  setting.owner.call('POST', runPath(), question, { ...respondAsync, ...headers });
const startedId = async () => String((await start()).body['runId']);
const get = async (id: string, query = '') =>
  Object((await setting.owner.call('GET', `${runs}/${id}${query}`)).body['run']);
const headersOf = ({ key }: TestPerson, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  accept: 'text/event-stream',
  ...more,
});
const events = (id: string, from = setting.url, more: Parameters<typeof readStream>[1] = {}) =>
  readStream(`${from}${runs}/${id}/events`, { headers: headersOf(setting.owner), ...more });

/** The model writes these pieces, one in 30 milliseconds, and then hangs or ends. */
const writeSlowly = (pieces: number, { hangs = false } = {}) =>
  setting.provider.now(({ model }) => async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let piece = 1; piece <= pieces; piece += 1) {
      response.write(chunkOf(model, { content: `word${piece} ` }));
      await pause(30);
    }
    if (!hangs) response.end(`${chunkOf(model, {}, 'stop')}data: [DONE]\n\n`);
  });
const answerOf = (pieces: number) =>
  Array.from({ length: pieces }, (_, index) => `word${index + 1} `).join('');
/** The connection breaks after this many chunks. */
const breakAfter = (chunks: number) => {
  let left = chunks;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= 1;
      if (left < 0) controller.error(new TypeError('broken'));
      else controller.enqueue(chunk);
    },
  });
};
const idsFrom = (first: number, list: readonly ReceivedEvent[]) =>
  list.map((_, index) => String(first + index));

beforeEach(() => setting.provider.now(() => ({ text: 'Hello.' })));
afterEach(async () => {
  const { sql } = setting.app.database;
  await expect
    .poll(() => sql`select id from runs where state in ('QUEUED', 'RUNNING')`)
    .toEqual([]);
  await sql`delete from runs`;
});

describe('Starting a durable run', () => {
  it('Its person is told of the end if it took a minute, but not of a short or a cancelled run', async () => {
    const { sql } = setting.app.database;
    const told = () => sql<{ userId: string; runId: string }>`
      select user_id as "userId", subject_id as "runId" from notifications where kind = 'RUN_ENDED'`;
    const startEarlier = async () => {
      writeSlowly(20);
      const id = await startedId();
      await sql`update runs set created_at = created_at - interval '61 seconds' where id = ${id}`;
      return id;
    };
    const short = await startedId();
    expect((await get(short, '?wait=25')).state).toBe('COMPLETED');
    const cancelled = await startEarlier();
    await setting.owner.call('POST', `${runs}/${cancelled}/cancel`);
    await expect.poll(async () => (await get(cancelled)).state).toBe('CANCELLED');
    const long = await startEarlier();
    expect((await get(long, '?wait=25')).state).toBe('COMPLETED');
    expect(await told()).toEqual([{ userId: setting.owner.id, runId: long }]);
    await sql`delete from notifications`;
  });

  it('The answer is 202 with the id, the state and the place of the run, and the run has the result of a plain one', async () => {
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    const { status, headers, body } = await start();
    expect(status).toBe(202);
    // On a busy machine the run has begun before the answer is made.
    const state = expect.stringMatching(/^(QUEUED|RUNNING)$/);
    expect(body).toEqual({ status: 'success', runId: expect.any(String), state });
    expect(headers.get('location')).toBe(`${runs}/${body['runId']}`);
    expect(headers.get('preference-applied')).toBe('respond-async');
    const run = await get(String(body['runId']), '?wait=25');
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    const plain = await setting.owner.call('POST', runPath(), question);
    expect(plain.status).toBe(200);
    expect(plain.headers.get('location')).toBeNull();
    expect(run).toMatchObject({
      state: 'COMPLETED',
      isDurable: true,
      stepCount: 2,
      error: null,
      usage: plain.body['usage'],
      contentUntil: expect.any(String),
    });
    const { messages, ...result } = run.result;
    const { messages: plainMessages, ...plainResult } = plain.body;
    expect(result).toEqual({ ...plainResult, runId: result.runId });
    expect(messages).toHaveLength(Object(plainMessages).length);
  });

  it.each([
    { keeps: false, redacts: false, days: 1 },
    { keeps: true, redacts: false, days: 30 },
    { keeps: true, redacts: true, days: 1 },
  ])(
    'With keepsRunContent $keeps and redactsContent $redacts the content is kept for $days days',
    async ({ keeps, redacts, days }) => {
      const { database } = setting.app;
      await database.sql`
      update organizations set keeps_run_content = ${keeps}, redacts_content = ${redacts}, retention_days = 30
      where id = ${setting.organization.id}`;
      const { body } = await start();
      const run = await get(String(body['runId']), '?wait=25');
      await database.sql`
      update organizations set keeps_run_content = false, redacts_content = false, retention_days = 365
      where id = ${setting.organization.id}`;
      const kept = Date.parse(run.contentUntil) - Date.parse(run.endedAt);
      expect(Math.round(kept / 86_400_000)).toBe(days);
    },
  );

  it('What refuses a run refuses a durable one, and nothing is stored', async () => {
    const assistantId = await assistantOf(outsider, { name: 'Foreign' });
    const path = `/api/assistants/v1/${assistantId}/run`;
    expect((await setting.owner.call('POST', path, question, respondAsync)).status).toBe(403);
    expect((await setting.owner.call('POST', runPath(), {}, respondAsync)).status).toBe(400);
    expect(await setting.app.database.sql`select id from runs`).toEqual([]);
  });

  it('A repeated Idempotency-Key gets the same run', async () => {
    const first = await start({ 'idempotency-key': 'durable-1' });
    const second = await start({ 'idempotency-key': 'durable-1' });
    expect(second.status).toBe(202);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('A start that is repeated after its response was lost gets the run that was stored', async () => {
    const key = { 'idempotency-key': 'durable-lost' };
    const lost = await withLostResponse(setting.app.database, () => start(key));
    const repeated = await start(key);
    expect([repeated.status, repeated.body['runId']]).toEqual([202, lost.body['runId']]);
    const place = {
      assistantId: setting.assistantId,
      conversationId: await conversationsOf(setting.owner).create(setting.assistantId, 'A title'),
    };
    const ask = () =>
      setting.owner.call(
        'POST',
        runPath(),
        { ...question, conversationId: place.conversationId },
        { ...respondAsync, 'idempotency-key': 'durable-question' },
      );
    const lostQuestion = await withLostResponse(setting.app.database, ask);
    const repeatedQuestion = await ask();
    expect([repeatedQuestion.status, repeatedQuestion.body['runId']]).toEqual([
      202,
      lostQuestion.body['runId'],
    ]);
    const { messages } = await conversationsOf(setting.owner).get(place.conversationId);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(await setting.app.database.sql`select count(*)::int as runs from runs`).toEqual([
      { runs: 2 },
    ]);
  });

  it('A dry run starts nothing, and its answer is that of a plain run', async () => {
    const { status, headers } = await start({ prefer: 'dry-run, respond-async' });
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('dry-run');
    expect(await setting.app.database.sql`select id from runs where is_durable`).toEqual([]);
  });

  it('A run whose provider fails is FAILED with the code and the message of the plain run', async () => {
    setting.provider.now(() => (response) => void response.writeHead(400).end('{}'));
    const plain = await setting.owner.call('POST', runPath(), question);
    const run = await get(await startedId(), '?wait=25');
    expect(run).toMatchObject({ state: 'FAILED', result: null });
    expect(run.error).toEqual({ code: plain.body['code'], message: plain.body['message'] });
  });

  it('A run that waits for a free slot of the quota is QUEUED, and the queue has a bound', async () => {
    await setting.app.database
      .sql`update organizations set concurrent_runs_max = 1 where id = ${setting.organization.id}`;
    try {
      writeSlowly(20);
      const first = await startedId();
      await expect.poll(async () => (await get(first)).state).toBe('RUNNING');
      const queued = [await startedId(), await startedId(), await startedId()];
      expect((await get(queued[2] ?? '')).state).toBe('QUEUED');
      const refused = await start();
      expect(refused.status).toBe(429);
      expect(refused.body['code']).toBe('CONCURRENCY_LIMIT_REACHED');
      const mine = conversationsOf(setting.owner);
      const conversationId = await mine.create(setting.assistantId);
      const inConversation = await setting.owner.call(
        'POST',
        runPath(),
        { ...question, conversationId },
        respondAsync,
      );
      expect(inConversation.status).toBe(429);
      expect((await mine.get(conversationId)).messages).toEqual([]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const id of [first, ...queued])
        expect((await get(id, '?wait=25')).state).toBe('COMPLETED');
    } finally {
      await setting.app.database
        .sql`update organizations set concurrent_runs_max = null where id = ${setting.organization.id}`;
    }
  });
});

describe('Reading a durable run', () => {
  it('A wait ends with the run, and after its time if the run goes on', async () => {
    writeSlowly(1, { hangs: true });
    const id = await startedId();
    const startedAt = performance.now();
    expect((await get(id, '?wait=1')).state).toBe('RUNNING');
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    await setting.owner.call('POST', `${runs}/${id}/cancel`);
    expect((await setting.owner.call('GET', `${runs}/${id}?wait=26`)).status).toBe(400);
  });

  it('The list has the runs of the caller, newest first, by assistant and state', async () => {
    const first = await startedId();
    const second = await startedId();
    await get(second, '?wait=25');
    await get(first, '?wait=25');
    const list = async (query: string) => {
      const { body } = await setting.owner.call('GET', `${runs}${query}`);
      return Object(body['runs']).map(({ id }: { id: string }) => id);
    };
    expect(await list('')).toEqual([second, first]);
    expect(await list(`?assistantId=${setting.assistantId}&state=COMPLETED`)).toEqual([
      second,
      first,
    ]);
    expect(await list('?state=FAILED')).toEqual([]);
    expect(await list('?assistantId=other')).toEqual([]);
    const { body, headers } = await setting.owner.call('GET', `${runs}?pageSize=1`);
    expect(body['total']).toBe(2);
    expect(headers.get('link')).toContain('rel="next"');
  });

  it('Another member and another organization find nothing of a run', async () => {
    const id = await startedId();
    await get(id, '?wait=25');
    for (const person of [colleague, outsider]) {
      expect((await person.call('GET', `${runs}/${id}`)).status).toBe(404);
      expect((await person.call('GET', `${runs}/${id}/events`)).status).toBe(404);
      expect((await person.call('POST', `${runs}/${id}/cancel`)).status).toBe(404);
      expect((await person.call('DELETE', `${runs}/${id}`)).status).toBe(404);
      expect((await person.call('GET', runs)).body['runs']).toEqual([]);
      const { response } = await readStream(`${setting.url}${runs}/${id}/events`, {
        headers: headersOf(person),
      });
      expect(response.status).toBe(404);
    }
    expect((await get(id)).state).toBe('COMPLETED');
  });
});

describe('The events of a durable run', () => {
  it('A client that accepts events gets those of the run, numbered without gaps, and the last has the result', async () => {
    setting.searchThenAnswer('You get 30 days of vacation [1].', { reasoning: 'I look it up.' });
    const { response, events: received } = await readStream(`${setting.url}${runPath()}`, {
      method: 'POST',
      headers: headersOf(setting.owner, { 'content-type': 'application/json', ...respondAsync }),
      body: JSON.stringify(question),
    });
    const location = response.headers.get('location') ?? '';
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    expect(received.map(({ id }) => id)).toEqual(idsFrom(1, received));
    expect([...new Set(received.map(({ name }) => name))]).toEqual([
      'step',
      'reasoning',
      'tool-call',
      'tool-result',
      'text',
      'done',
    ]);
    expect(received.filter(({ name }) => name === 'step').map(({ data }) => data)).toEqual([
      { number: 1, attempt: 1 },
      { number: 2, attempt: 1 },
    ]);
    const run = await get(location.split('/').at(-1) ?? '');
    expect(received.at(-1)?.data).toEqual(run.result);
    expect(textOf(received)).toBe(run.result.text);
  });

  it('A client that disconnects does not end the run, and goes on after the last event that it has seen, in another process', async () => {
    writeSlowly(40);
    const { response, events: first } = await readStream(`${setting.url}${runPath()}`, {
      method: 'POST',
      headers: headersOf(setting.owner, { 'content-type': 'application/json', ...respondAsync }),
      body: JSON.stringify(question),
      enough: (received) => received.length >= 3,
    });
    const id = (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
    const lastId = first.at(-1)?.id ?? '';
    const { events: rest } = await events(id, otherServer.url, {
      headers: headersOf(setting.owner, { 'last-event-id': lastId }),
    });
    expect(rest.map((event) => event.id)).toEqual(idsFrom(Number(lastId) + 1, rest));
    expect(textOf([...first, ...rest])).toBe(answerOf(40));
    expect((await get(id)).state).toBe('COMPLETED');
  });

  it('The client follows a run, and comes back to its stream after the last event when its connection breaks', async () => {
    writeSlowly(20);
    let broken = 0;
    const client = createClient({
      baseUrl: setting.url,
      apiKey: setting.owner.key,
      async fetch(request) {
        const response = await fetch(request);
        if (!request.url.endsWith('/events') || broken === 2) return response;
        broken += 1;
        const body = response.body?.pipeThrough(breakAfter(2));
        return new Response(body ?? null, response);
      },
    });
    const { assistantId } = setting;
    const { runId, state } = await client.startRun({ assistantId, ...typedQuestion });
    expect(['QUEUED', 'RUNNING']).toContain(state);
    const followed: ReceivedEvent[] = [];
    for await (const { id, type, ...data } of client.followRun({ runId }))
      followed.push({ id, name: type, data });
    expect(broken).toBe(2);
    expect(followed.map(({ id }) => id)).toEqual(idsFrom(1, followed));
    expect(textOf(followed)).toBe(answerOf(20));
    expect(followed.at(-1)?.name).toBe('done');
    await expect(client.followRun({ runId: 'unknown' }).next()).rejects.toMatchObject({
      status: 404,
    });
  });

  it('A stream over curl and the events as JSON are the same', async () => {
    const id = await startedId();
    await get(id, '?wait=25');
    const url = `${otherServer.url}${runs}/${id}/events`;
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sN', '-H', 'accept: text/event-stream'],
      ...['-H', `authorization: Bearer ${setting.owner.key}`, url],
    ]);
    const { body } = await setting.owner.call('GET', `${runs}/${id}/events`);
    const streamed = eventsIn(stdout);
    expect(streamed.map(({ name }) => name)).toEqual(['step', 'text', 'done']);
    expect(Object(body['events'])).toMatchObject(
      streamed.map((event) => ({ type: event.name, sequence: Number(event.id) })),
    );
    const { events: none } = await events(id, setting.url, {
      headers: headersOf(setting.owner, { 'last-event-id': '3' }),
    });
    expect(none).toEqual([]);
    const malformed = await setting.owner.call('GET', `${runs}/${id}/events`, undefined, {
      'last-event-id': 'x',
    });
    expect(malformed.status).toBe(400);
  });

  it('A subscription of the graph gets the same events', async () => {
    const id = await startedId();
    await get(id, '?wait=25');
    const query = `subscription ($id: ID!) { runEvents(id: $id, after: 1) { __typename ... on TextEvent { sequence text } ... on DoneEvent { sequence result { text } } } }`;
    const response = await fetch(`${setting.url}/graphql`, {
      method: 'POST',
      headers: headersOf(setting.owner, { 'content-type': 'application/json' }),
      body: JSON.stringify({ query, variables: { id } }),
    });
    const text = await response.text();
    expect(text).toContain('"sequence":2,"text":"Hello."');
    expect(text).toContain('"result":{"text":"Hello."}');
  });
});

describe('Cancelling and deleting a durable run', () => {
  it('A run that is cancelled in another process stops its provider within a second, and its readers learn of it', async () => {
    writeSlowly(3, { hangs: true });
    const id = await startedId();
    const reading = events(id);
    await expect.poll(async () => (await get(id)).state).toBe('RUNNING');
    await pause(200);
    const abandoned = setting.provider.abandonedCount();
    const path = `${runs}/${id}/cancel`;
    const cancelled = await other.callerWith(setting.owner.key)('POST', path);
    expect(cancelled.status).toBe(200);
    expect(Object(cancelled.body['run'])).toMatchObject({
      state: 'CANCELLED',
      error: { code: 'RUN_CANCELLED' },
    });
    await expect
      .poll(() => setting.provider.abandonedCount(), { timeout: 1_000 })
      .toBe(abandoned + 1);
    const { events: received } = await reading;
    expect(received.at(-1)).toMatchObject({
      name: 'failed',
      data: { state: 'CANCELLED', code: 'RUN_CANCELLED' },
    });
    expect(received.map((event) => event.id)).toEqual(idsFrom(1, received));
    const again = await setting.owner.call('POST', path);
    expect(again.body).toEqual(cancelled.body);
  });

  it('A run that has ended stays as it is when it is cancelled', async () => {
    const id = await startedId();
    await get(id, '?wait=25');
    const { status, body } = await setting.owner.call('POST', `${runs}/${id}/cancel`);
    expect(status).toBe(200);
    expect(Object(body['run']).state).toBe('COMPLETED');
  });

  it('A deleted run and its content are gone, and one in progress stops its provider', async () => {
    writeSlowly(3, { hangs: true });
    const id = await startedId();
    await expect.poll(async () => (await get(id)).state).toBe('RUNNING');
    await expect.poll(() => setting.provider.requests.length).toBe(1);
    const abandoned = setting.provider.abandonedCount();
    const { status, body } = await setting.owner.call('DELETE', `${runs}/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'success', success: true, runId: id });
    await expect
      .poll(() => setting.provider.abandonedCount(), { timeout: 1_000 })
      .toBe(abandoned + 1);
    expect((await setting.owner.call('GET', `${runs}/${id}`)).status).toBe(404);
    for (const table of ['run_contents', 'run_events', 'run_steps']) {
      const rows = await setting.app.database.prisma.$queryRawUnsafe(
        `select run_id from ${table} where run_id = '${id}'`,
      );
      expect(rows).toEqual([]);
    }
    expect((await setting.owner.call('DELETE', `${runs}/${id}`)).status).toBe(404);
  });

  it('A plain run that is executed cannot be cancelled or deleted by its id', async () => {
    setting.provider.now(() => ({ text: 'Hello.', afterMs: 1_500 }));
    const plain = setting.owner.call('POST', runPath(), question);
    const list = async () => Object((await setting.owner.call('GET', runs)).body['runs']);
    await expect.poll(async () => (await list()).length).toBe(1);
    const [{ id, isDurable }] = await list();
    expect(isDurable).toBe(false);
    expect((await setting.owner.call('POST', `${runs}/${id}/cancel`)).status).toBe(409);
    expect((await setting.owner.call('DELETE', `${runs}/${id}`)).status).toBe(409);
    expect((await setting.owner.call('GET', `${runs}/${id}/events`)).status).toBe(404);
    expect((await plain).status).toBe(200);
    expect((await setting.owner.call('DELETE', `${runs}/${id}`)).status).toBe(200);
  });
});
