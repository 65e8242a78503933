import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/platform/errors.ts';
import { createOpenaiEmbedder } from '../../../src/vault/embed/openai.ts';
import { receiver, recordLog } from '../../support/vault.ts';

const apiKey = 'the-key-of-the-test';
const servers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function bodyOf(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const vectorOf = (text: string, dimensions = 4) => [
  text.length,
  1,
  ...Array.from({ length: dimensions - 2 }, () => 0),
];
const sendJson = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function answerCorrectly(request: IncomingMessage, response: ServerResponse) {
  const { input } = await bodyOf(request);
  const data = input.map((text: string, index: number) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(text),
  }));
  // The API does not guarantee the order of the vectors.
  sendJson(response, { data: data.toReversed() });
}

/**
 * An embedder and its provider. `firstAnswers` answer the first requests; all others get the
 * correct answer.
 */
async function embedderWith(...firstAnswers: RequestListener[]) {
  let count = 0;
  const provider = await receiver((request, response) =>
    (firstAnswers[count++] ?? answerCorrectly)(request, response),
  );
  servers.push(provider);
  const { lines, log } = recordLog();
  const settings = { model: 'any', baseUrl: `${provider.url}/v1`, apiKey, dimensions: 4 };
  return {
    embedder: createOpenaiEmbedder(settings, { log, timeoutMs: 300, firstPauseMs: 5 }),
    requests: provider.requests,
    lines,
  };
}

const rejectWith =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(`the words of the provider, ${apiKey}`);
const repeatFiveTimes = <T>(item: T) => Array.from({ length: 5 }, () => item);

async function faultOf(work: Promise<unknown>): Promise<AppError> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof AppError)) throw new Error(`not refused as it should be: ${fault}`);
  return fault;
}

describe('createOpenaiEmbedder', () => {
  test('Every text gets a vector of length 1, in the order of the texts, requested in batches', async () => {
    const { embedder, requests } = await embedderWith();
    const texts = Array.from({ length: 150 }, (_, index) => 'x'.repeat(index + 1));
    const vectors = await embedder.embed(texts, 'passage');
    expect(vectors).toHaveLength(150);
    for (const [index, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1);
      expect((vector[0] ?? 0) / (vector[1] ?? 1)).toBeCloseTo(index + 1, 2);
    }
    expect(requests).toHaveLength(3);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/embeddings',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(embedder).toMatchObject({ name: 'openai-any-4', dimensions: 4, inWorker: false });
  });

  test('The tokens that the provider counts are reported for every batch, and none where it counts none', async () => {
    const counted: number[] = [];
    const withUsage: RequestListener = async (request, response) => {
      const { input } = await bodyOf(request);
      const data = input.map((text: string, index: number) => ({
        ...{ index, embedding: vectorOf(text) },
      }));
      sendJson(response, { data, usage: { prompt_tokens: input.length, total_tokens: 900 } });
    };
    const { embedder } = await embedderWith(withUsage, withUsage);
    const texts = Array.from({ length: 130 }, (_, index) => `text ${index}`);
    await embedder.embed(texts, 'passage', undefined, (tokens) => counted.push(tokens));
    expect(counted).toEqual([64, 64, 0]);
    expect(embedder.paidModel).toBe('any');
  });

  test.each([[429], [500], [503]])('A request is retried after status %i', async (status) => {
    const { embedder, requests } = await embedderWith(rejectWith(status), rejectWith(status));
    expect(await embedder.embed(['a'], 'query')).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  test('A retry waits for the Retry-After of the provider', async () => {
    const { embedder, requests } = await embedderWith(rejectWith(429, { 'retry-after': '1' }));
    const startedAt = performance.now();
    await embedder.embed(['a'], 'query');
    expect(requests).toHaveLength(2);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['rejects the key', rejectWith(401), 1],
    ['fails each time', rejectWith(500), 5],
    ['redirects', rejectWith(307, { location: '/elsewhere' }), 5],
    ['closes the connection', ((_, response) => response.destroy()) satisfies RequestListener, 5],
    [
      'sends invalid JSON',
      ((_, response) => response.end('{"data":[')) satisfies RequestListener,
      1,
    ],
    [
      'sends vectors of another length',
      ((_, response) =>
        sendJson(response, {
          data: [{ index: 0, embedding: [1, 2, 3] }],
        })) satisfies RequestListener,
      1,
    ],
    [
      'sends too few vectors',
      ((_, response) => sendJson(response, { data: [] })) satisfies RequestListener,
      1,
    ],
    [
      'sends a vector twice',
      ((_, response) =>
        sendJson(response, {
          data: repeatFiveTimes({ index: 0, embedding: [1, 2, 3, 4] }),
        })) satisfies RequestListener,
      1,
    ],
    [
      'sends a value that is not a finite number',
      ((_, response) =>
        response.end('{"data":[{"index":0,"embedding":[1,2,3,1e999]}]}')) satisfies RequestListener,
      1,
    ],
    [
      'never ends its answer',
      ((_, response) => writeEndlessly(response)) satisfies RequestListener,
      1,
    ],
  ])(
    'A provider that %s causes PROVIDER_FAILED without text of the provider',
    async (_, answer: RequestListener, attempts) => {
      const { embedder, requests, lines } = await embedderWith(...repeatFiveTimes(answer));
      const fault = await faultOf(embedder.embed(['a'], 'passage'));
      expect(fault).toMatchObject({
        code: 'PROVIDER_FAILED',
        message: 'The model provider failed',
      });
      expect(requests).toHaveLength(attempts);
      expect(lines.join('')).not.toMatch(/words of the provider|the-key-of-the-test/);
      expect(lines.length).toBeGreaterThan(0);
    },
  );

  test('A provider that does not answer causes PROVIDER_LATE', async () => {
    const { embedder } = await embedderWith(...repeatFiveTimes(() => {}));
    expect(await faultOf(embedder.embed(['a'], 'query'))).toMatchObject({ code: 'PROVIDER_LATE' });
  });

  test('An aborted request ends at once', async () => {
    const { embedder, requests } = await embedderWith(...repeatFiveTimes(() => {}));
    const cancellation = new AbortController();
    const embedding = embedder.embed(['a'], 'query', cancellation.signal);
    cancellation.abort(new Error('given up'));
    await expect(embedding).rejects.toThrow('given up');
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  test('A model with unknown dimensions is rejected with the name of the missing setting', () => {
    const { log } = recordLog();
    expect(() => createOpenaiEmbedder({ model: 'any' }, { log })).toThrow(
      'embeddings.dimensions: must be set for the model any',
    );
    expect(createOpenaiEmbedder({ model: 'text-embedding-3-small' }, { log }).name).toBe(
      'openai-text-embedding-3-small-1536',
    );
    expect(createOpenaiEmbedder({ model: 'modèle', dimensions: 8 }, { log }).name).toMatch(
      /^openai-[0-9a-f]{32}-8$/,
    );
  });
});

function writeEndlessly(response: ServerResponse) {
  const more = () => {
    while (!response.destroyed && response.write('1,'.repeat(10_000)));
    if (!response.destroyed) response.once('drain', more);
  };
  response.on('error', () => {});
  more();
}
