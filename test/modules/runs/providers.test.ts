import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import {
  chunkOf,
  type Fault,
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

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
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
  (...pieces: string[]): Fault =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(pieces.join(''));
  };

type Refusal = { fault: Fault; code: 'PROVIDER_FAILED' | 'PROVIDER_LATE'; calls: number };

const refusals: Record<string, Refusal> = {
  'refuses the key, with the key in its text': {
    fault: says(401, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'refuses the request, with the key in its text': {
    fault: says(400, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'knows no such path': {
    fault: says(404, `<html>${secret}</html>`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'fails, with the key in its text': {
    fault: says(500, errorBody),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'is overloaded': { fault: says(429, errorBody), code: 'PROVIDER_FAILED', calls: 3 },
  'sends elsewhere': {
    fault: says(307, '', { location: 'http://127.0.0.1:9/' }),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'breaks the connection before it answers': {
    fault: (response) => response.destroy(),
    code: 'PROVIDER_FAILED',
    calls: 3,
  },
  'breaks the connection in the middle': {
    fault: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunkOf('large', { content: 'Half an ans' }), () => response.destroy());
    },
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'never answers': { fault: () => {}, code: 'PROVIDER_LATE', calls: 1 },
  'begins and never ends': {
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
  'answers nothing': { fault: says(200, ''), code: 'PROVIDER_FAILED', calls: 1 },
  'answers a web page': {
    fault: says(200, `<html>${secret}</html>`, { 'content-type': 'text/html' }),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'answers invalid JSON': {
    fault: stream(`data: {"choices": ${secret}\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'answers JSON of another kind': {
    fault: stream(`data: {"choices": "${secret}"}\n\ndata: [DONE]\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'reports an error in the stream': {
    fault: stream(chunkOf('large', { content: 'Well, ' }), `data: ${errorBody}\n\n`),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'says nothing': {
    fault: stream(chunkOf('large', {}, 'stop'), 'data: [DONE]\n\n'),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  'only thinks': {
    fault: stream(
      chunkOf('large', { reasoning_content: 'Hm.' }),
      chunkOf('large', {}, 'length'),
      'data: [DONE]\n\n',
    ),
    code: 'PROVIDER_FAILED',
    calls: 1,
  },
  floods: {
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
  ['asked for pieces', true],
  ['asked for the whole', false],
])('a provider, %s, that', (_, streams) => {
  const run = (given: Parameters<typeof runOf>[0]) => runOf({ streams, ...given });

  it.each(Object.entries(refusals))(
    '%s ends the run with words of our own',
    async (_, { fault, code, calls }) => {
      provider.now(() => fault);
      const patient = code === 'PROVIDER_LATE' ? '1' : '20';
      const fallen = await run({
        settings: { ...settings, MODEL_TIME_SECONDS: patient },
        log,
      }).then(
        ({ result }) => result,
        (error: unknown) => error,
      );
      expect(fallen).toMatchObject({
        name: 'AppError',
        code,
        message: expect.stringMatching(/^The model (provider |gave no answer)/),
      });
      expect(JSON.stringify(fallen) + String(fallen)).not.toContain(secret);
      expect(lines.join('')).not.toContain(secret);
      expect(provider.requests).toHaveLength(calls);
    },
  );

  it('is not there at all ends the run with words of our own', async () => {
    const nobody = { ...settings, MODEL_BASE_URL: 'http://127.0.0.1:9/v1' };
    await expect(run({ settings: nobody, log })).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });

  it.each([500, 503, 429])('answers %i once is asked again, and nobody notices', async (status) => {
    provider.now((_, call) =>
      call === 1 ? says(status, errorBody, { 'retry-after': '0' }) : { text: 'Hello again.' },
    );
    expect((await run({ settings, log })).result.text).toBe('Hello again.');
    expect(provider.requests).toHaveLength(2);
  });

  it('fails in a later step fails the run: half an answer is none', async () => {
    provider.now((_, call) =>
      call === 1
        ? { text: 'Let me see.', toolCalls: [{ name: 'search_knowledge', input: { query: 'x' } }] }
        : says(400, errorBody),
    );
    await expect(run({ settings, log })).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });

  it('asks for tools in the last step, where it has none, gives no answer', async () => {
    provider.now(() => ({ toolCalls: [{ name: 'search_knowledge', input: { query: 'x' } }] }));
    await expect(run({ settings, log, stepLimit: 2 })).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      message: 'The model gave no answer',
    });
    expect(provider.requests).toHaveLength(2);
  });
});

describe('the models', () => {
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
  ])('%s is the model %s with its own key', async (model, asked, key) => {
    provider.now(() => ({ text: 'Hello.' }));
    const { result } = await runOf({
      settings: { ...settings, MODEL_PROVIDERS: providers() },
      model,
    });
    expect(result.model).toBe(model ?? 'large');
    expect(provider.requests[0]?.model).toBe(asked);
    expect(provider.keys.at(-1)).toBe(key);
  });

  it('are the built-in one for all where there is no provider, and for who asks for it where there are', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const found = [passage('Employees get 30 days of vacation.')];
    expect((await runOf({ found, model: 'large' })).result.model).toBe('atrium-extractive');
    expect((await runOf({ settings, found, model: 'atrium-extractive' })).result.model).toBe(
      'atrium-extractive',
    );
    expect(provider.requests).toHaveLength(0);
  });

  it('of a provider that is not set end the run with words of our own', async () => {
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
  ])('are not set by %j: the start says what is wrong', async (wrong) => {
    await expect(runOf({ settings: { ...wrong } })).rejects.toThrow(
      new RegExp(`These settings are wrong:\n  ${Object.keys(wrong)[0]}`),
    );
  });
});
