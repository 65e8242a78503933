import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import {
  chunkOf,
  type FaultyResponse,
  type ModelProvider,
  modelProvider,
} from '../../support/model-provider.ts';
import { passage, runOf } from '../../support/runs.ts';

const secret = 'sk-live-secret-of-the-provider';
const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const log = createLog({ LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }, sink);

let provider: ModelProvider;
let settings: Record<string, string>;

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  settings = {
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_API_KEY: secret,
    MODEL_DEFAULT: 'large',
    MODEL_TIME_SECONDS: '20',
  };
});
afterAll(() => provider.close());

const answerWith =
  (status: number, body: string, headers: Record<string, string> = {}): FaultyResponse =>
  (response) =>
    response.writeHead(status, headers).end(body);
const errorBody = JSON.stringify({
  error: {
    message: `Incorrect API key provided: ${secret}`,
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
});
const stream =
  (...pieces: string[]): FaultyResponse =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(pieces.join(''));
  };

type ProviderFault = {
  fault: FaultyResponse;
  code: 'PROVIDER_FAILED' | 'PROVIDER_LATE';
  calls: number;
};

const providerFaults: Record<string, ProviderFault> = {
  'A provider that answers 401 and repeats the key in its error': {
    fault: answerWith(401, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers 400 and repeats the key in its error': {
    fault: answerWith(400, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers 404': {
    fault: answerWith(404, `<html>${secret}</html>`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers 500 and repeats the key in its error': {
    fault: answerWith(500, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'A provider that answers 429': {
    fault: answerWith(429, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'A provider that redirects': {
    fault: answerWith(307, '', { location: 'http://127.0.0.1:9/' }),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'A provider that closes the connection before it answers': {
    fault: (response) => response.destroy(),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'A provider that closes the connection in the middle of its answer': {
    fault: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunkOf('large', { content: 'Half an ans' }), () => response.destroy());
    },
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that never answers': { fault: () => {}, code: 'PROVIDER_LATE', calls: 1 },
  'A provider whose answer never ends': {
    fault: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(
        () => response.write(chunkOf('large', { content: 'and so on ' })),
        20,
      );
      response.on('close', () => clearInterval(timer));
    },
    code: 'PROVIDER_LATE',
    calls: 1,
  },
  'A provider that answers with an empty body': {
    fault: answerWith(200, ''),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers with a web page': {
    fault: answerWith(200, `<html>${secret}</html>`, { 'content-type': 'text/html' }),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers with invalid JSON': {
    fault: stream(`data: {"choices": ${secret}\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers with unexpected JSON': {
    fault: stream(`data: {"choices": "${secret}"}\n\ndata: [DONE]\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that reports an error in the stream': {
    fault: stream(chunkOf('large', { content: 'Well, ' }), `data: ${errorBody}\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that answers without text': {
    fault: stream(chunkOf('large', {}, 'stop'), 'data: [DONE]\n\n'),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that sends only reasoning': {
    fault: stream(
      chunkOf('large', { reasoning_content: 'Hm.' }),
      chunkOf('large', {}, 'length'),
      'data: [DONE]\n\n',
    ),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'A provider that sends an endless answer': {
    fault: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const piece = chunkOf('large', { content: 'x'.repeat(1_000_000) });
      const flood = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', flood);
      flood();
    },
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
};

describe.each([
  ['streamed', true],
  ['complete', false],
])('The fault of a provider in a %s answer', (_, streams) => {
  const run = (options: Parameters<typeof runOf>[0]) => runOf({ streams, ...options });

  it.each(Object.entries(providerFaults))(
    '%s ends the run with an error that shows no text of the provider',
    async (_, { fault, code, calls }) => {
      provider.now(() => fault);
      const timeLimitSeconds = code === 'PROVIDER_LATE' ? '1' : '20';
      const outcome = await run({
        settings: { ...settings, MODEL_TIME_SECONDS: timeLimitSeconds },
        log,
      }).then(
        ({ result }) => result,
        (error: unknown) => error,
      );
      expect(outcome).toMatchObject({
        name: 'AppError',
        code,
        message: expect.stringMatching(/^The model (provider |gave no answer)/),
      });
      expect(JSON.stringify(outcome) + String(outcome)).not.toContain(secret);
      expect(lines.join('')).not.toContain(secret);
      expect(provider.requests).toHaveLength(calls);
    },
  );

  it('A provider that cannot be reached ends the run with PROVIDER_FAILED', async () => {
    const unreachable = { ...settings, MODEL_BASE_URL: 'http://127.0.0.1:9/v1' };
    await expect(run({ settings: unreachable, log })).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
    });
  });

  it.each([500, 503, 429])(
    'A request that gets status %i once is retried, and the run succeeds',
    async (status) => {
      provider.now((_, call) =>
        call === 1
          ? answerWith(status, errorBody, { 'retry-after': '0' })
          : { text: 'Hello again.' },
      );
      expect((await run({ settings, log })).result.text).toBe('Hello again.');
      expect(provider.requests).toHaveLength(2);
    },
  );

  it('A provider error in a later step ends the run without a partial answer', async () => {
    provider.now((_, call) =>
      call === 1
        ? { text: 'Let me see.', toolCalls: [{ name: 'search_knowledge', input: { query: 'x' } }] }
        : answerWith(400, errorBody),
    );
    await expect(run({ settings, log })).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });

  it('A model that calls a tool in the last step, where it has none, ends the run with an error', async () => {
    provider.now(() => ({ toolCalls: [{ name: 'search_knowledge', input: { query: 'x' } }] }));
    await expect(run({ settings, log, stepLimit: 2 })).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      message: 'The model gave no answer',
    });
    expect(provider.requests).toHaveLength(2);
  });
});

describe('The choice of a model', () => {
  const providers = () =>
    JSON.stringify({
      second: { baseUrl: provider.baseUrl, apiKey: 'second key' },
      open: { baseUrl: provider.baseUrl },
    });

  it.each([
    [null, 'large', `Bearer ${secret}`],
    ['small', 'small', `Bearer ${secret}`],
    ['meta/llama', 'meta/llama', `Bearer ${secret}`],
    ['second/medium', 'medium', 'Bearer second key'],
    ['second/meta/llama', 'meta/llama', 'Bearer second key'],
    ['open/free', 'free', undefined],
  ])(
    'The model name %s selects the model %s with the key of its provider',
    async (model, requestedModel, key) => {
      provider.now(() => ({ text: 'Hello.' }));
      const { result } = await runOf({
        settings: { ...settings, MODEL_PROVIDERS: providers() },
        model,
      });
      expect(result.model).toBe(model ?? 'large');
      expect(provider.requests[0]?.model).toBe(requestedModel);
      expect(provider.keys.at(-1)).toBe(key);
    },
  );

  it('The built-in model answers without a provider, and for assistants that name it', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const found = [passage('Employees get 30 days of vacation.')];
    expect((await runOf({ found, model: 'large' })).result.model).toBe('atrium-extractive');
    expect((await runOf({ settings, found, model: 'atrium-extractive' })).result.model).toBe(
      'atrium-extractive',
    );
    expect(provider.requests).toHaveLength(0);
  });

  it('A model of an unknown provider ends the run with PROVIDER_FAILED', async () => {
    await expect(
      runOf({ settings: { MODEL_PROVIDERS: providers() }, model: 'third/large' }),
    ).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });

  it.each([
    { MODEL_DEFAULT: 'large' },
    { MODEL_PROVIDERS: 'no json' },
    { MODEL_PROVIDERS: '{"Bad Name":{"baseUrl":"http://localhost"}}' },
    { MODEL_PROVIDERS: '{"name":{"baseUrl":"ftp://localhost"}}' },
    { MODEL_BASE_URL: 'nowhere' },
  ])('The start fails with %j and the error names the setting', async (invalidSettings) => {
    await expect(runOf({ settings: { ...invalidSettings } })).rejects.toThrow(
      new RegExp(`These settings are wrong:\n  ${Object.keys(invalidSettings)[0]}`),
    );
  });
});
