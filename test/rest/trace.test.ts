import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { serveHttp } from '../support/http-server.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { createProcessedFile } from '../support/search-vault-stub.ts';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

let provider: ModelProvider;
let vault: VaultServers;
let app: TestApp;
let server: Awaited<ReturnType<typeof serveHttp>>;
let owner: TestPerson;
let assistantId: string;
beforeAll(async () => {
  provider = await modelProvider(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Thirty days [1].' }
      : { toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }] },
  );
  vault = await startVaultServers();
  app = await testApp(
    { MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large', USER_KEY_LIMIT: '100000' },
    { vault: vault.client },
  );
  const organization = await app.organization();
  owner = await personIn(app, organization);
  assistantId = await assistantOf(owner);
  const fileId = await createProcessedFile(app, organization, assistantId, 'leave.txt');
  await vault.put(assistantId, fileId, 'Employees have thirty days of vacation in a year.');
  server = await serveHttp(app.listener);
});
afterAll(async () => {
  server.close();
  await app.close();
  await vault.close();
  await provider.close();
});
beforeEach(() => {
  provider.traces.length = 0;
  vault.lines.length = 0;
  app.logLines.length = 0;
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

async function send(path: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(server.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${owner.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: Object(await answer.json()) };
}

const run = (headers: Record<string, string>) =>
  send(`/api/assistants/v1/${assistantId}/run`, headers, {
    messages: [{ role: 'user', content: 'How many days of vacation?' }],
  });
const readLines = (lines: string[]): Record<string, unknown>[] =>
  lines.map((line) => JSON.parse(line));
const spansOf = (lines: string[]) =>
  new Set(
    readLines(lines)
      .filter((line) => line['msg'] === 'answered')
      .map((line) => {
        expect(line['traceId']).toBe(traceId);
        return line['spanId'];
      }),
  );

describe('traceparent', () => {
  it('A trace goes on in the calls of the model provider, the vault and the vector database, and in their log lines', async () => {
    const answer = await run({ traceparent, tracestate: 'vendor=value' });
    expect([answer.status, answer.body.citations]).toEqual([200, ['leave.txt']]);

    const [ownSpan, ...others] = spansOf(app.logLines);
    expect(ownSpan).toMatch(/^[0-9a-f]{16}$/);
    expect([ownSpan === '00f067aa0ba902b7', others]).toEqual([false, []]);
    expect(provider.traces).toHaveLength(2);
    for (const trace of provider.traces)
      expect(trace).toEqual({
        traceparent: `00-${traceId}-${ownSpan}-01`,
        tracestate: 'vendor=value',
      });
    const operations = readLines(vault.lines).map((line) => line['operation']);
    expect(operations.length).toBeGreaterThanOrEqual(2);
    // The vault and the vector database each have a span of their own.
    expect(spansOf(vault.lines).size).toBe(operations.length);
  });

  it('Without a trace nothing is sent on, also after a request with one on the same connection', async () => {
    await run({ traceparent });
    provider.traces.length = 0;
    vault.lines.length = 0;
    app.logLines.length = 0;
    expect((await run({})).status).toBe(200);
    for (const trace of provider.traces)
      expect(trace).toEqual({ traceparent: undefined, tracestate: undefined });
    expect(provider.traces).toHaveLength(2);
    for (const line of readLines([...vault.lines, ...app.logLines]))
      expect([line['traceId'], line['spanId']]).toEqual([undefined, undefined]);
  });

  it.each([
    ['upper case', traceparent.toUpperCase()],
    ['zero trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['zero parent', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['version ff', `ff${traceparent.slice(2)}`],
    ['more fields in version 00', `${traceparent}-more`],
    ['a longer trace id', `00-${traceId}0-00f067aa0ba902b7-01`],
    ['two values', `${traceparent}, ${traceparent}`],
    ['text', 'hello'],
    ['an oversized later version', `01${traceparent.slice(2)}-${'x'.repeat(1_000)}`],
  ])('A malformed value is ignored: %s', async (_, value) => {
    const answer = await send('/api/assistants/v1/', { traceparent: value });
    expect(answer.status).toBe(200);
    expect(readLines(app.logLines).map((line) => line['traceId'])).not.toContain(traceId);
  });

  it('A later version of the standard is read as far as it is known', async () => {
    await send('/api/assistants/v1/', { traceparent: `01${traceparent.slice(2)}-more` });
    expect(spansOf(app.logLines).size).toBe(1);
  });
});

describe('X-Request-Id', () => {
  it.each(['abc', 'order-4711.retry_2', 'A'.repeat(128), '6f1c2a0e-5d3b-4c8e-9f57-2f3a1b0c4d6e'])(
    'A well-formed id of the sender is the id of the request: %s',
    async (id) => {
      const answer = await send('/api/assistants/v1/', { 'x-request-id': id });
      expect(answer.headers.get('x-request-id')).toBe(id);
      expect(readLines(app.logLines).at(-1)).toMatchObject({ requestId: id, msg: 'answered' });
      const refused = await send('/api/assistants/v1/unknown', { 'x-request-id': id });
      expect([refused.status, refused.body.requestId]).toEqual([404, id]);
      const question = await send('/graphql', { 'x-request-id': id }, { query: '{ nothing }' });
      expect(question.body.errors[0].extensions.requestId).toBe(id);
    },
  );

  it.each([
    '',
    ' ',
    'A'.repeat(129),
    'with space',
    'quote"',
    '<script>',
    'line\tbreak',
    'ä',
    'a, b',
    'sk_svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('Any other value is replaced: "%s"', async (id) => {
    const answer = await rawRequestId(id);
    expect(answer).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });

  it('The audit log names the request by the id of the sender', async () => {
    const organization = await app.organization();
    await organization.manage('POST', '/teams', { name: 'Traced' }, { 'x-request-id': 'audit-1' });
    const rows = await app.database.sql<{ id: string }>`
      select request_id as id from audit_entries where organization_id = ${organization.id} and action = 'create-team'`;
    expect(rows).toEqual([{ id: 'audit-1' }]);
  });
});

/** The X-Request-Id of the answer. node:http sends values that fetch rejects. */
function rawRequestId(id: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.origin}/api/assistants/v1/`, {
      headers: {
        authorization: `Bearer ${owner.key}`,
        'x-request-id': Buffer.from(id).toString('latin1'),
      },
    });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      await text(response);
      resolve(response.headers['x-request-id']);
    });
    sent.end();
  });
}
