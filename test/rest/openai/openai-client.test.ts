import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { fileOf, vaultShelf } from '../../support/shelf.ts';

let provider: ModelProvider;
let vault: Awaited<ReturnType<typeof vaultShelf>>;
let app: TestApp;
let server: Server;
let owner: TestPerson;
let stranger: TestPerson;
let model: string;
let clientFor: (apiKey: string) => OpenAI;

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  vault = await vaultShelf();
  const settings = { USER_KEY_LIMIT: '1000', MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k', MODEL_DEFAULT: 'large' };
  app = await testApp(settings, { vault: vault.client });
  const ours = await app.organization();
  owner = await personIn(app, ours);
  stranger = await personIn(app, ours);
  model = await assistantOf(owner, { name: 'Handbook' });
  vault.put(model, [{ document: await fileOf(app, ours, model, 'handbook.pdf'), text: 'Employees get 30 days of vacation.', page: 3 }]);
  server = createServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/openai/v1`;
  clientFor = (apiKey) => new OpenAI({ apiKey, baseURL, maxRetries: 0 });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  vault.client.close();
  await vault.stop();
  await provider.close();
});

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const answersFromFiles = () =>
  provider.now((_, call) =>
    call === 1
      ? { reasoning: 'Hm.', text: 'I look it up.', toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }] }
      : { text: 'You get 30 days of vacation [1][9].' },
  );

describe('the official OpenAI client', () => {
  it('lists the assistants of its key as models, and reads one', async () => {
    const { data } = await clientFor(owner.key).models.list();
    expect(data).toEqual([{ id: model, object: 'model', created: expect.any(Number), owned_by: 'atrium', name: 'Handbook' }]);
    expect(await clientFor(owner.key).models.retrieve(model)).toMatchObject({ id: model });
    expect((await clientFor(stranger.key).models.list()).data).toEqual([]);
  });

  it('gets a whole answer with its tokens and sources', async () => {
    answersFromFiles();
    const completion = await clientFor(owner.key).chat.completions.create({ model, messages, temperature: 0.2, max_tokens: 100, user: 'x' });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'You get 30 days of vacation [1].' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
      citations: ['handbook.pdf#page=3'],
    });
  });

  it('gets an answer piece by piece, with its tokens where it asks for them', async () => {
    answersFromFiles();
    const stream = await clientFor(owner.key).chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('I look it up.\n\nYou get 30 days of vacation [1].');
    expect(chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? []))).toEqual(['stop']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('finds its own helper for streams at work', async () => {
    provider.now(() => ({ text: 'Hello there.' }));
    const runner = clientFor(owner.key).chat.completions.stream({ model, messages });
    expect(await runner.finalContent()).toBe('Hello there.');
  });

  it('may send a whole conversation as it knows them', async () => {
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
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'tool said' },
        { role: 'assistant', content: 'Three' },
        { role: 'user', content: 'Four' },
      ],
      tools: [{ type: 'function', function: { name: 'f' } }],
    });
    const sent = JSON.stringify(provider.requests[0]?.messages);
    for (const text of ['Be kind.', 'Be brief.', 'One\\nTwo', 'tool said', 'Three', 'Four']) expect(sent).toContain(text);
  });

  it.each<[string, () => Promise<unknown>, number, RegExp]>([
    ['a wrong key', () => clientFor('sk_svc_wrong').models.list(), 401, /Invalid or missing API key/],
    ['an organization key', async () => clientFor((await app.organization()).key).models.list(), 401, /Invalid or missing API key/],
    ['an assistant of somebody else', () => clientFor(stranger.key).chat.completions.create({ model, messages }), 403, /Assistant not available/],
    ['a model that there is not', () => clientFor(owner.key).models.retrieve('gpt-4'), 404, /Assistant not available/],
    ['no messages', () => clientFor(owner.key).chat.completions.create({ model, messages: [] }), 400, /messages must be a list of 1 to/],
    [
      'a picture',
      () => clientFor(owner.key).chat.completions.create({ model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }),
      400,
      /messages\.0\.content/,
    ],
    ['two answers at once', () => clientFor(owner.key).chat.completions.create({ model, messages, n: 2 }), 400, /n must be 1/],
    ['a path that there is not', () => clientFor(owner.key).embeddings.create({ model, input: 'x' }), 404, /no such path/],
  ])('is told of %s in the form that it knows', async (_, ask, status, message) => {
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status, message: expect.stringMatching(message), type: 'invalid_request_error' });
  });

  it('is told of a provider at fault, before the answer and in the middle of a stream, without its words', async () => {
    provider.now(() => (response) => response.writeHead(400).end('{"error":{"message":"sk-secret"}}'));
    const whole = await clientFor(owner.key)
      .chat.completions.create({ model, messages })
      .catch((thrown: unknown) => thrown);
    expect(whole).toMatchObject({ status: 502, type: 'server_error', code: 'provider_failed', message: expect.not.stringContaining('sk-secret') });
    const stream = await clientFor(owner.key).chat.completions.create({ model, messages, stream: true });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('The model provider refused the request') });
  });
});
