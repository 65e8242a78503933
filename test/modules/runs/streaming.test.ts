import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { personIn, type TestPerson } from '../../support/assistants.ts';
import { formOf, formType } from '../../support/files.ts';
import { chunkOf, type ModelProvider } from '../../support/model-provider.ts';
import { refusalBody } from '../../support/refusal-body.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

let setting: RunApp;
let provider: ModelProvider;
let app: TestApp;
let origin: string;
let owner: TestPerson;
let outsider: TestPerson;
let assistantId: string;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '20' });
  ({ provider, app, owner, assistantId, url: origin } = setting);
  outsider = await personIn(app, await app.organization());
});
afterAll(() => setting.close());

type ServerEvent = { name: string; data: Record<string, unknown> };

/** The events of a response without comments. */
const eventsIn = (text: string): ServerEvent[] =>
  text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => !line.startsWith(':')))
    .filter((lines) => lines.some((line) => line.startsWith('event: ')))
    .map((lines) => ({
      name: lines.find((line) => line.startsWith('event: '))?.slice(7) ?? '',
      data: Object(JSON.parse(lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '{}')),
    }));

const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const graphMessages = [{ user: 'How many days of vacation do I get?' }];
const query = `subscription ($id: ID!, $messages: [RunMessageInput!]!) { assistantRun(input: { assistantId: $id, messages: $messages }) {
  __typename ... on TextEvent { text } ... on ToolCallEvent { toolName input } ... on DoneEvent { result { text citations } } } }`;

const send = (
  path: string,
  body: unknown,
  {
    key = owner.key,
    headers = {},
    signal,
  }: { key?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const run = (options: Parameters<typeof send>[2] = {}, body: unknown = { messages }) =>
  send(`/api/assistants/v1/${assistantId}/run`, body, options);
const subscribe = (options: Parameters<typeof send>[2] = {}, variables: object = {}) =>
  send(
    '/graphql',
    { query, variables: { id: assistantId, messages: graphMessages, ...variables } },
    options,
  );

const searchThenAnswer = () =>
  setting.searchThenAnswer('You get 30 days of vacation [1][9].', { reasoning: 'I look it up.' });

describe('An event stream over REST', () => {
  it('The stream sends reasoning, tool calls, tool results and text, and its last event equals the JSON answer', async () => {
    searchThenAnswer();
    const response = await run();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-request-id')).not.toBeNull();
    expect(response.headers.get('x-ratelimit-limit')).toBe('100000');
    const events = eventsIn(await response.text());
    const dataOf = (name: string) =>
      events.filter((event) => event.name === name).map(({ data }) => data);
    expect([...new Set(events.map(({ name }) => name))]).toEqual([
      'reasoning',
      'tool-call',
      'tool-result',
      'text',
      'done',
    ]);
    expect(
      dataOf('reasoning')
        .map(({ text }) => text)
        .join(''),
    ).toBe('I look it up.');
    expect(
      dataOf('text')
        .map(({ text }) => text)
        .join(''),
    ).toBe('You get 30 days of vacation [1].');
    expect(dataOf('tool-call')).toEqual([
      {
        toolCallId: expect.any(String),
        toolName: 'search_knowledge',
        input: { query: 'vacation' },
      },
    ]);
    expect(dataOf('tool-result')).toMatchObject([
      {
        toolName: 'search_knowledge',
        output: { type: 'text', value: expect.stringContaining('30 days') },
      },
    ]);

    searchThenAnswer();
    const plain = await run({ headers: { accept: 'application/json' } });
    const { messages: streamedMessages, ...done } = Object(events.at(-1)?.data);
    const { messages: plainMessages, ...body } = Object(await plain.json());
    // Each run has an id of its own.
    expect(done).toEqual({ ...body, runId: done.runId });
    expect(streamedMessages).toHaveLength(plainMessages.length);
  });

  it('The events of a run arrive while the model is still writing', async () => {
    const secondChunk = Promise.withResolvers<void>();
    provider.now(() => (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chunkOf('large', { content: 'First. ' }));
      void secondChunk.promise.then(() =>
        response.end(`${chunkOf('large', { content: 'Second.' }, 'stop')}data: [DONE]\n\n`),
      );
    });
    const reader = (await run()).body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('First.')) received += (await reader?.read())?.value ?? '';
    expect(received).not.toContain('Second.');
    secondChunk.resolve();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      received += next.value;
    expect(eventsIn(received).at(-1)).toMatchObject({
      name: 'done',
      data: { text: 'First. Second.' },
    });
  });

  it('An error before the first event is answered with its HTTP status', async () => {
    expect((await run({ key: 'sk_svc_nobody' })).status).toBe(401);
    const foreign = await run({ key: outsider.key });
    expect(foreign.status).toBe(403);
    expect(await foreign.json()).toEqual(refusalBody('FORBIDDEN', 'Assistant not available'));
    expect((await run({}, { messages: [] })).status).toBe(400);
    expect((await run({ headers: { 'idempotency-key': 'k' } })).status).toBe(400);
  });

  it('An error after the start of the stream is sent as an error event without text of the provider', async () => {
    provider.now(
      () => (response) => response.writeHead(400).end('{"error":{"message":"sk-secret"}}'),
    );
    const text = await (await run()).text();
    expect(eventsIn(text)).toEqual([
      {
        name: 'error',
        data: refusalBody('PROVIDER_FAILED', 'The model provider refused the request'),
      },
    ]);
    expect(text).not.toContain('sk-secret');
  });

  it('A run with a form and files can be streamed', async () => {
    provider.now(() => ({ text: 'It costs 12 euros [1].' }));
    const body = formOf([
      { name: 'messages', content: JSON.stringify(messages) },
      { name: 'files', fileName: 'ticket.txt', content: 'The ticket costs 12 euros.' },
    ]);
    const headers = {
      authorization: `Bearer ${owner.key}`,
      'content-type': formType,
      accept: 'text/event-stream',
    };
    const response = await fetch(`${origin}/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      headers,
      body,
    });
    expect(eventsIn(await response.text()).at(-1)).toMatchObject({
      name: 'done',
      data: { citations: ['ticket.txt'] },
    });
  });
});

describe('An event stream over GraphQL', () => {
  it('The subscription sends the events of the run as results', async () => {
    searchThenAnswer();
    const response = await subscribe();
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = eventsIn(await response.text());
    expect(events.at(-1)?.name).toBe('complete');
    const results = events.slice(0, -1).map(({ data }) => Object(data['data']).assistantRun);
    expect(results.map(({ text = '' }) => text).join('')).toBe('You get 30 days of vacation [1].');
    expect(results).toContainEqual({
      __typename: 'ToolCallEvent',
      toolName: 'search_knowledge',
      input: { query: 'vacation' },
    });
    expect(results.at(-1)).toEqual({
      __typename: 'DoneEvent',
      result: { text: 'You get 30 days of vacation [1].', citations: ['handbook.pdf#page=3'] },
    });
  });

  it('The refusal of a subscription is an event of a stream, which has the status 200', async () => {
    for (const [id, code] of [
      ['unknown', 'FORBIDDEN'],
      ['', 'BAD_INPUT'],
    ] as const) {
      const query = id
        ? `subscription { assistantRun(input: { assistantId: "${id}", messages: [{ user: "Hi" }] }) { __typename } }`
        : 'subscription { nothing }';
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.key}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query }),
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/event-stream/),
      ]);
      const events = eventsIn(await response.text());
      expect(events.map(({ name }) => name)).toEqual(['next', 'complete']);
      expect(events[0]?.data).toMatchObject({ errors: [{ extensions: { code } }] });
    }
  });

  it('A subscription is refused if the client does not accept text/event-stream', async () => {
    const response = await subscribe({ headers: { accept: 'application/json' } });
    expect(await response.json()).toEqual({
      errors: [
        {
          message: expect.stringContaining('accept text/event-stream'),
          extensions: expect.objectContaining({ code: 'BAD_INPUT' }),
        },
      ],
    });
  });

  it.each([
    ['a person of another organization', () => subscribe({ key: outsider.key }), 'FORBIDDEN'],
    ['an empty list of messages', () => subscribe({}, { messages: [] }), 'BAD_INPUT'],
    [
      'an organization key',
      async () => subscribe({ key: (await app.organization()).key }),
      'FORBIDDEN',
    ],
  ])('A request with %s is refused without calling the model', async (_, ask, code) => {
    provider.now(() => ({ text: 'Hello.' }));
    const text = await (await ask()).text();
    expect(text).toContain(`"code":"${code}"`);
    expect(text).not.toContain('assistantRun":{');
    expect(provider.requests).toHaveLength(0);
  });

  it('An error of the provider is sent as a GraphQL error without text of the provider', async () => {
    provider.now(
      () => (response) => response.writeHead(400).end('{"error":{"message":"sk-secret"}}'),
    );
    const text = await (await subscribe()).text();
    expect(text).not.toContain('sk-secret');
    expect(eventsIn(text)).toEqual([
      {
        name: 'next',
        data: {
          errors: [
            {
              message: 'The model provider refused the request',
              extensions: { code: 'PROVIDER_FAILED', requestId: expect.any(String) },
            },
          ],
        },
      },
      { name: 'complete', data: {} },
    ]);
  });
});

describe('A client that disconnects', () => {
  const waitForProvider = () => {
    const providerCalled = Promise.withResolvers<void>();
    provider.now(() => (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chunkOf('large', { content: 'Well, ' }));
      providerCalled.resolve();
    });
    return providerCalled.promise;
  };

  it.each([
    [
      'a plain answer',
      (signal: AbortSignal) => run({ signal, headers: { accept: 'application/json' } }),
    ],
    ['an event stream', (signal: AbortSignal) => run({ signal })],
    ['a subscription', (signal: AbortSignal) => subscribe({ signal })],
    [
      'a mutation',
      (signal: AbortSignal) =>
        send(
          '/graphql',
          {
            query:
              'mutation ($id: ID!, $messages: [RunMessageInput!]!) { runAssistant(input: { assistantId: $id, messages: $messages }) { run { text } } }',
            variables: { id: assistantId, messages: graphMessages },
          },
          { signal, headers: { accept: 'application/json' } },
        ),
    ],
  ])('A client that disconnects during %s ends the call of the provider', async (_, ask) => {
    const before = provider.abandonedCount();
    const providerCalled = waitForProvider();
    const client = new AbortController();
    const answer = ask(client.signal).then((response) => response.text());
    await providerCalled;
    client.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(provider.abandonedCount, { timeout: 60_000 }).toBe(before + 1);
  });
});
