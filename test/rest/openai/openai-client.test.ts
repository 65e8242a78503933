import { readFileSync } from 'node:fs';
import OpenAI, { APIError, BadRequestError, NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  parametersWithoutEffect,
  unsupportedParameters,
} from '../../../src/rest/openai/chat-parameters.ts';
import type { TestApp, TestOrganization } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import type { ModelProvider } from '../../support/model-provider.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { createProcessedFile } from '../../support/search-vault-stub.ts';

let setting: RunApp;
let provider: ModelProvider;
let vault: RunApp['vault'];
let app: TestApp;
let organization: TestOrganization;
let owner: TestPerson;
let stranger: TestPerson;
let model: string;
let clientFor: (apiKey: string) => OpenAI;

beforeAll(async () => {
  setting = await runApp({ USER_KEY_LIMIT: '1000' });
  ({ provider, vault, app, organization, owner, assistantId: model } = setting);
  stranger = await personIn(app, organization);
  const baseURL = `${setting.url}/api/openai/v1`;
  clientFor = (apiKey) => new OpenAI({ apiKey, baseURL, maxRetries: 0 });
});
afterAll(() => setting.close());

const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'How many days of vacation do I get?' },
];
const answersFromFiles = () =>
  setting.searchThenAnswer('You get 30 days of vacation [1][9].', {
    reasoning: 'Hm.',
    text: 'I look it up.',
  });

describe('the official OpenAI client', () => {
  it('The client lists the assistants of its key as models and reads one', async () => {
    const { data } = await clientFor(owner.key).models.list();
    expect(data).toEqual([
      {
        id: model,
        object: 'model',
        created: expect.any(Number),
        owned_by: 'atrium',
        name: 'Handbook',
      },
    ]);
    expect(await clientFor(owner.key).models.retrieve(model)).toMatchObject({ id: model });
    expect((await clientFor(stranger.key).models.list()).data).toEqual([]);
  });

  it('The client gets a complete response with its tokens and sources', async () => {
    answersFromFiles();
    const completion = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      user: 'x',
    });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'You get 30 days of vacation [1].' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
      citations: ['handbook.pdf#page=3'],
    });
  });

  it('The client gets a streamed response, with its tokens if it requests them', async () => {
    answersFromFiles();
    const stream = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe(
      'I look it up.\n\nYou get 30 days of vacation [1].',
    );
    expect(
      chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? [])),
    ).toEqual(['stop']);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('Only the first chunk of a stream has the role, also before reasoning: clients join texts of one name', async () => {
    provider.now(() => ({ reasoning: 'First the rules, then the table.', text: 'Hello there.' }));
    const stream = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      stream: true,
    });
    const deltas: Record<string, unknown>[] = [];
    for await (const { choices } of stream)
      deltas.push(...choices.map(({ delta }) => ({ ...delta })));
    const join = (name: string) => deltas.map((delta) => delta[name] ?? '').join('');
    expect(join('reasoning_content')).toBe('First the rules, then the table.');
    expect(join('content')).toBe('Hello there.');
    expect(join('role')).toBe('assistant');
    expect(deltas[0]).toHaveProperty('role', 'assistant');
  });

  it('The client’s own helper for streams works', async () => {
    provider.now(() => ({ text: 'Hello there.' }));
    const runner = clientFor(owner.key).chat.completions.stream({ model, messages });
    expect(await runner.finalContent()).toBe('Hello there.');
  });

  it('The client can send a conversation with all kinds of messages', async () => {
    provider.now(() => ({ text: 'Fine.' }));
    await clientFor(owner.key).chat.completions.create({
      model,
      messages: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'tool said' },
        { role: 'assistant', content: 'Three' },
        { role: 'user', content: 'Four' },
      ],
    });
    const sent = JSON.stringify(provider.requests[0]?.messages);
    for (const text of ['Be kind.', 'Be brief.', 'One\\nTwo', 'tool said', 'Three', 'Four'])
      expect(sent).toContain(text);
  });

  it.each<[string, () => Promise<unknown>, number, RegExp]>([
    [
      'a wrong key',
      () => clientFor('sk_svc_wrong').models.list(),
      401,
      /Invalid or missing API key/,
    ],
    [
      'an organization key',
      async () => clientFor((await app.organization()).key).models.list(),
      401,
      /This is an organization key; this call takes a user key/,
    ],
    [
      'no messages',
      () => clientFor(owner.key).chat.completions.create({ model, messages: [] }),
      400,
      /messages must be a list of 1 to/,
    ],
    [
      'a picture',
      () =>
        clientFor(owner.key).chat.completions.create({
          model,
          messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
        }),
      400,
      /messages\[0\]\.content must be a text or a list of texts/,
    ],
    [
      'an unknown path',
      () => clientFor(owner.key).embeddings.create({ model, input: 'x' }),
      404,
      /no such path/,
    ],
  ])('The error for %s has the format that the client parses', async (_, ask, status, message) => {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({
      status,
      message: expect.stringMatching(message),
      type: 'invalid_request_error',
    });
  });

  const notAvailableCases: [string, () => Promise<unknown>][] = [
    ['reads a model that does not exist', () => clientFor(owner.key).models.retrieve('gpt-4')],
    ['reads an assistant of somebody else', () => clientFor(stranger.key).models.retrieve(model)],
    [
      'runs a model that does not exist',
      () => clientFor(owner.key).chat.completions.create({ model: 'gpt-4', messages }),
    ],
    [
      'runs an assistant of somebody else',
      () => clientFor(stranger.key).chat.completions.create({ model, messages }),
    ],
    [
      'runs an assistant of somebody else as a stream',
      () => clientFor(stranger.key).chat.completions.create({ model, messages, stream: true }),
    ],
  ];

  it.each(notAvailableCases)(
    'The client gets the same 404 with the code model_not_found when it %s',
    async (_, ask) => {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({
        status: 404,
        code: 'model_not_found',
        param: 'model',
        type: 'invalid_request_error',
      });
      expect(error).toMatchObject({
        message: expect.stringMatching(/^404 Assistant not available: no assistant with this id/),
      });
    },
  );

  const tool: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'f' } };
  const fn = { name: 'f' };
  const unsupportedCases: [Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>, string][] = [
    [{ tools: [tool] }, 'tools'],
    [{ tool_choice: 'auto' }, 'tool_choice'],
    [{ tools: [tool], tool_choice: 'required' }, 'tool_choice'],
    [{ parallel_tool_calls: false }, 'parallel_tool_calls'],
    [{ functions: [fn] }, 'functions'],
    [{ function_call: fn }, 'function_call'],
    [{ logprobs: true }, 'logprobs'],
    [{ top_logprobs: 3 }, 'top_logprobs'],
    [{ stop: 'END' }, 'stop'],
    [{ stop: ['END'] }, 'stop'],
    [{ n: 2 }, 'n'],
    [{ n: 0 }, 'n'],
    [{ seed: 7 }, 'seed'],
    [{ top_p: 0.5 }, 'top_p'],
    [{ presence_penalty: 1 }, 'presence_penalty'],
    [{ frequency_penalty: -1 }, 'frequency_penalty'],
    [{ logit_bias: { 50256: -100 } }, 'logit_bias'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ audio: { format: 'mp3', voice: 'alloy' } }, 'audio'],
    [{ prediction: { type: 'content', content: 'x' } }, 'prediction'],
    [{ reasoning_effort: 'high' }, 'reasoning_effort'],
    [{ verbosity: 'low' }, 'verbosity'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ store: true }, 'store'],
    [{ metadata: { a: 'b' } }, 'metadata'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ moderation: { model: 'm' } }, 'moderation'],
  ];

  it.each(unsupportedCases)(
    'The parameters %j answer 400 with the name %s, and the model is not called',
    async (parameters, param) => {
      provider.now(() => ({ text: 'Hello.' }));
      const error = await clientFor(owner.key)
        .chat.completions.create({ model, messages, ...parameters })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        code: 'unsupported_parameter',
      });
      expect(error).toMatchObject({
        message: expect.stringContaining(`${param} is not supported; leave it out`),
      });
      expect(Object.keys(parameters)).toContain(Object(error).param);
      expect(provider.requests).toHaveLength(0);
    },
  );

  it('Every parameter of chat completions is supported, rejected, or listed as without effect', () => {
    const declared = readFileSync(
      'node_modules/openai/resources/chat/completions/completions.d.ts',
      'utf8',
    );
    const [, body = ''] =
      /export interface ChatCompletionCreateParamsBase \{\n(.*?)\n\}/s.exec(declared) ?? [];
    const names = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => name);
    const supported = [
      'messages',
      'model',
      'stream',
      'stream_options',
      'max_tokens',
      'max_completion_tokens',
      'temperature',
      'response_format',
    ];
    expect(names).toContain('messages');
    expect([...supported, ...unsupportedParameters, ...parametersWithoutEffect].toSorted()).toEqual(
      names.toSorted(),
    );
  });

  it('OpenAI’s default values, null, and unknown fields are accepted', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const defaults = {
      ...{
        tools: [],
        functions: [],
        response_format: { type: 'text' as const },
        logprobs: false,
        stop: null,
        n: 1,
        seed: null,
        top_p: 1,
        store: false,
      },
      ...{
        presence_penalty: 0,
        frequency_penalty: 0,
        logit_bias: {},
        modalities: ['text' as const],
        service_tier: 'auto' as const,
        metadata: null,
      },
      ...{
        user: 'u',
        safety_identifier: 's',
        prompt_cache_key: 'k',
        max_tokens: null,
        temperature: null,
        chat_id: 'of a program of its own',
      },
    };
    const { choices } = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      ...defaults,
    });
    expect(choices[0]?.message.content).toBe('Hello.');
  });

  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ max_tokens: 0 }, 'max_tokens', /max_tokens must be an integer of at least 1/],
    [{ max_tokens: 1.5 }, 'max_tokens', /max_tokens must be an integer of at least 1/],
    [
      { max_completion_tokens: '5' },
      'max_completion_tokens',
      /max_completion_tokens must be an integer of at least 1/,
    ],
    [{ max_tokens: 5, max_completion_tokens: 5 }, 'max_tokens', /must not both be sent/],
    [{ temperature: 3 }, 'temperature', /temperature must be a number from 0 to 2/],
    [{ stream: 'yes' }, 'stream', /stream must be true or false/],
    [
      { stream_options: { include_usage: true } },
      'stream_options',
      /must not be sent unless stream is true/,
    ],
    [
      { stream: true, stream_options: { include_obfuscation: true } },
      'stream_options.include_obfuscation',
      /is not supported/,
    ],
    [{ stream: true, stream_options: 'all' }, 'stream_options', /stream_options must be an object/],
    [{ messages: [] }, 'messages', /messages must be a list of 1 to 1000 messages/],
    [
      { messages: [{ role: 'tool', tool_call_id: 'c', content: '' }] },
      'messages',
      /messages must have a message that the model can read/,
    ],
    [
      { messages: [{ role: 'assistant', content: null }] },
      'messages',
      /messages must have a message that the model can read/,
    ],
    [
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'king', content: 'x' },
        ],
      },
      'messages[1].role',
      /must have a role of/,
    ],
  ])('The error for %j names the invalid parameter: %s', async (parameters, param, sentence) => {
    const error = await clientFor(owner.key)
      .chat.completions.create({ model, messages, ...parameters })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      param,
      code: 'invalid_value',
      type: 'invalid_request_error',
      message: expect.stringMatching(sentence),
    });
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'The parameter %s limits the tokens of all steps together, and the client learns that the answer was cut off',
    async (name) => {
      const call = { name: 'search_knowledge', input: { query: 'vacation' } };
      provider.now((_, call_) =>
        call_ === 1
          ? { toolCalls: [call], usage: { prompt_tokens: 10, completion_tokens: 30 } }
          : { text: 'You get 30', finish: 'length' },
      );
      const completion = await clientFor(owner.key).chat.completions.create({
        model,
        messages,
        [name]: 40,
      });
      expect(completion.choices[0]).toMatchObject({
        message: { content: 'You get 30' },
        finish_reason: 'length',
      });
      expect(provider.requests.map(({ max_tokens: tokens }) => tokens)).toEqual([40, 10]);
    },
  );

  it('If a tool call has used all tokens, the client gets an empty answer that was cut off, complete and streamed', async () => {
    const call = { name: 'search_knowledge', input: { query: 'vacation' } };
    provider.now(() => ({
      toolCalls: [call],
      usage: { prompt_tokens: 10, completion_tokens: 40 },
    }));
    const { choices } = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      max_tokens: 40,
    });
    expect(choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' });
    expect(provider.requests).toHaveLength(1);
    const runner = clientFor(owner.key).chat.completions.stream({
      model,
      messages,
      max_tokens: 40,
    });
    const reasons: (string | null)[] = [];
    for await (const { choices: pieces } of runner)
      reasons.push(...pieces.map(({ finish_reason: reason }) => reason));
    expect(reasons.at(-1)).toBe('length');
  });

  it('The client learns that a filter of the provider has cut the answer, complete and streamed', async () => {
    provider.now(() => ({ text: 'The recipe begins', finish: 'content_filter' }));
    const client = clientFor(owner.key);
    const { choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]).toMatchObject({
      message: { content: 'The recipe begins' },
      finish_reason: 'content_filter',
    });
    const runner = client.chat.completions.stream({ model, messages });
    expect((await runner.finalChatCompletion()).choices[0]?.finish_reason).toBe('content_filter');
  });

  it('A filter that has held back the whole answer is no failure of the provider, complete and streamed (D183)', async () => {
    provider.now(() => ({ text: '', finish: 'content_filter' }));
    const client = clientFor(owner.key);
    const { choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'content_filter',
    });
    expect(provider.requests).toHaveLength(1);
    const runner = client.chat.completions.stream({ model, messages });
    const reasons: (string | null)[] = [];
    for await (const { choices: pieces } of runner)
      reasons.push(...pieces.map(({ finish_reason: reason }) => reason));
    expect(reasons.at(-1)).toBe('content_filter');
    expect(await owner.call('POST', `/api/assistants/v1/${model}/run`, { messages })).toMatchObject(
      { status: 200, body: { text: '', finishReason: 'CONTENT_FILTER' } },
    );
  });

  it('The parameter temperature sets the temperature of a run', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    await clientFor(owner.key).chat.completions.create({ model, messages, temperature: 0 });
    await clientFor(owner.key).chat.completions.create({ model, messages });
    expect(provider.requests.map(({ temperature }) => temperature)).toEqual([0, undefined]);
  });

  it('The token limit also applies to the built-in model, which counts a word as a token', async () => {
    const builtIn = await assistantOf(owner, { name: 'Built-in', model: 'atrium-extractive' });
    vault.put(builtIn, [
      {
        document: await createProcessedFile(app, organization, builtIn, 'handbook.pdf'),
        text: 'Employees get 30 days of vacation.',
        page: 3,
      },
    ]);
    const create = (more: object) =>
      clientFor(owner.key).chat.completions.create({ model: builtIn, messages, ...more });
    const complete = (await create({})).choices[0];
    expect(complete).toMatchObject({
      message: { content: expect.stringContaining('30 days of vacation') },
      finish_reason: 'stop',
    });
    const cut = (await create({ max_tokens: 3 })).choices[0];
    expect(cut?.finish_reason).toBe('length');
    expect(cut?.message.content?.split(/\s+/)).toEqual(
      complete?.message.content?.split(/\s+/).slice(0, 3),
    );
    const streamed = clientFor(owner.key).chat.completions.stream({
      model: builtIn,
      messages,
      max_tokens: 3,
    });
    expect(await streamed.finalContent()).toBe(cut?.message.content);
  });

  it('An error of the provider is reported before the answer and during a stream, without the provider’s message', async () => {
    provider.now(
      () => (response) => response.writeHead(400).end('{"error":{"message":"sk-secret"}}'),
    );
    const complete = await clientFor(owner.key)
      .chat.completions.create({ model, messages })
      .catch((thrown: unknown) => thrown);
    expect(complete).toMatchObject({
      status: 502,
      type: 'server_error',
      code: 'provider_failed',
      message: expect.not.stringContaining('sk-secret'),
    });
    const stream = await clientFor(owner.key).chat.completions.create({
      model,
      messages,
      stream: true,
    });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({
      message: expect.stringContaining('The model provider refused the request'),
    });
  });
});
