import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoWorkspace } from '../../support/demo-directory.ts';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { otlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import type { RunningServer } from '../../support/process.ts';
import { serversOfTests } from '../../support/servers-of-tests.ts';

// Each test starts programs, and other test files run at the same time.
vi.setConfig({ testTimeout: 120_000 });

const { startForTest, directory, afterTests } = serversOfTests();

const question = 'How many days of vacation do I get?';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const senderSpan = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${senderSpan}-01`;
const kinds = { internal: 1, server: 2, client: 3 };

async function collector(...respond: Parameters<typeof otlpReceiver>) {
  const received = await otlpReceiver(...respond);
  afterTests(received.close);
  return received;
}

async function searchingProvider(): Promise<ModelProvider> {
  const provider = await modelProvider(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Thirty days [1].' }
      : { toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }] },
  );
  afterTests(provider.close);
  return provider;
}

let demo: Awaited<ReturnType<typeof demoWorkspace>>;
beforeAll(async () => {
  demo = await demoWorkspace();
});
afterAll(() => demo.remove());

async function demoServer(settings: Record<string, string>): Promise<RunningServer> {
  const path = directory();
  await demo.copyTo(path);
  return startForTest({ DATA_DIR: path, ...settings });
}

async function send(server: RunningServer, path: string, key: string, body?: object) {
  const answer = await fetch(server.address + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      traceparent,
      tracestate: 'vendor=value',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: Object(await answer.json()) };
}

async function stop(server: RunningServer): Promise<void> {
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}

/** The sources of OpenTelemetry in the bundles that the program of this coverage has loaded. */
function openTelemetryIn(coverage: string): string[] {
  const files = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  const urls = files.flatMap((text): string[] =>
    JSON.parse(text).result.map(({ url }: { url: string }) => url),
  );
  const bundles = new Set(urls.filter((url) => url.includes('/generated/server/')));
  const sources = [...bundles].flatMap((url) =>
    [...readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ (\S+\.\w+)$/gm)].map(
      ([, source = '']) => source,
    ),
  );
  expect(sources).toContain('src/app.ts');
  // better-auth and Prisma load the interface without an implementation.
  return sources.filter((source) =>
    /telemetry\/open-telemetry\.ts|@opentelemetry\/(?!api\/|semantic-conventions\/)/.test(source),
  );
}

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('one trace goes through the API, the vault, the vector database and the model provider, and the end of the program sends what is left', async () => {
    const received = await collector();
    const provider = await searchingProvider();
    const server = await demoServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: received.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_DEFAULT: 'large',
    });
    const assistantId = demo.runPath.split('/')[4] ?? '';
    provider.traces.length = 0;
    const run = await send(server, demo.runPath, demo.userKey, {
      messages: [{ role: 'user', content: question }],
    });
    expect(run.status).toBe(200);
    const graph = await send(server, '/graphql', demo.organizationKey, {
      query: 'query TeamNames { teams(first: 1) { nodes { name } } }',
    });
    expect(graph.body.errors).toBeUndefined();
    await stop(server);

    const spans = received.spans.filter((span) => span.traceId === traceId);
    const spanOf = (name: string, service = 'atrium-api'): ReceivedSpan => {
      const found = spans.find((span) => span.name === name && span.service === service);
      if (!found) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`);
      return found;
    };
    const childrenOf = ({ spanId }: ReceivedSpan) =>
      spans.filter(({ parentSpanId }) => parentSpanId === spanId);

    const request = spanOf('RunAssistant');
    expect(request).toMatchObject({
      parentSpanId: senderSpan,
      traceState: 'vendor=value',
      kind: kinds.server,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/assistants/v1/:assistantId/run',
        'http.response.status_code': 200,
      },
    });
    const statements = childrenOf(request).filter(
      ({ attributes }) => attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map(({ name }) => name)).toContain('select assistants');
    expect(statements.every(({ kind }) => kind === kinds.client)).toBe(true);

    const agent = spanOf('invoke_agent');
    expect(agent.parentSpanId).toBe(request.spanId);
    const modelCalls = childrenOf(agent).filter(({ name }) => name === 'chat large');
    expect(modelCalls).toHaveLength(2);
    expect(modelCalls[0]).toMatchObject({
      kind: kinds.client,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'default',
        'gen_ai.request.model': 'large',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.response.finish_reasons': ['tool-calls'],
      },
    });
    expect(provider.traces).toEqual(
      modelCalls.map(({ spanId }) => ({
        traceparent: `00-${traceId}-${spanId}-01`,
        tracestate: 'vendor=value',
      })),
    );

    const tool = spanOf('execute_tool search_knowledge');
    expect(tool.parentSpanId).toBe(agent.spanId);
    const vaultCall = spanOf('POST /v1/collections/:collection/search');
    expect(vaultCall).toMatchObject({ parentSpanId: tool.spanId, kind: kinds.client });
    const vaultRequest = spans.find(({ parentSpanId }) => parentSpanId === vaultCall.spanId);
    expect(vaultRequest).toMatchObject({
      service: 'atrium-vault',
      kind: kinds.server,
      attributes: { 'http.route': '/v1/collections/:collection/search' },
    });
    const vectorDbCall = spanOf('POST /v1/collections/:collection/search', 'atrium-vault');
    expect(vectorDbCall.parentSpanId).toBe(vaultRequest?.spanId);
    expect(spans.find(({ parentSpanId }) => parentSpanId === vectorDbCall.spanId)).toMatchObject({
      service: 'atrium-vector-db',
      kind: kinds.server,
    });

    expect(spanOf('graphql query')).toMatchObject({
      parentSpanId: senderSpan,
      attributes: {
        'http.route': '/graphql',
        'graphql.operation.name': 'TeamNames',
        'graphql.operation.type': 'query',
      },
    });

    // Neither content nor ids nor keys leave the program.
    const sent = received.texts.join('\n');
    expect(sent).not.toContain('vacation');
    expect(sent).not.toContain('Thirty days');
    expect(sent).not.toContain('sk_svc_');
    expect(assistantId).not.toBe('');
    expect(sent).not.toContain(assistantId);
    expect(received.headers.every((headers) => headers['x-collector-key'] === 'abc')).toBe(true);
    expect(sent).toContain('deployment.environment.name');

    // The sums are cumulative, and sent once more at the end.
    const pointsOf = (name: string) =>
      [
        ...new Map(
          received.points.map((point) => [JSON.stringify([point.name, point.attributes]), point]),
        ).values(),
      ].filter((point) => point.name === name);
    expect(pointsOf('http.server.request.duration')).toContainEqual(
      expect.objectContaining({
        service: 'atrium-api',
        count: 1,
        attributes: expect.objectContaining({
          'http.route': '/api/assistants/v1/:assistantId/run',
          'http.request.method': 'POST',
          'http.response.status_code': 200,
        }),
      }),
    );
    expect(pointsOf('gen_ai.client.operation.duration')[0]?.count).toBe(2);
    const tokens = pointsOf('gen_ai.client.token.usage').map(({ attributes, sum }) => [
      attributes['gen_ai.token.type'],
      sum,
    ]);
    expect(tokens.toSorted()).toEqual([
      ['input', 20],
      ['output', 10],
    ]);
  });

  it('a streamed run has the tokens of its model calls in its trace', async () => {
    const received = await collector();
    const provider = await searchingProvider();
    const server = await demoServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: received.url,
      OTEL_SERVICE_NAME: 'assistants',
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_DEFAULT: 'large',
    });
    const answer = await fetch(server.address + demo.runPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demo.userKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        traceparent,
      },
      body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
    });
    expect(await answer.text()).toContain('event: done');
    await stop(server);
    const modelCalls = received.spans.filter(
      (span) => span.traceId === traceId && span.name === 'chat large',
    );
    expect(modelCalls).toHaveLength(2);
    for (const { service, attributes } of modelCalls)
      expect([service, attributes]).toEqual([
        'assistants',
        expect.objectContaining({
          'gen_ai.request.stream': true,
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 5,
        }),
      ]);
  });

  // The tests above show the default, which sends every trace.
  it('the sampler always_off sends no trace', async () => {
    const received = await collector();
    const coverage = directory();
    const server = await demoServer({
      NODE_V8_COVERAGE: coverage,
      OTEL_EXPORTER_OTLP_ENDPOINT: received.url,
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    const { status } = await send(server, '/api/user-management/v1/teams', demo.organizationKey);
    expect(status).toBe(200);
    await stop(server);
    expect(received.spans).toEqual([]);
    expect(openTelemetryIn(coverage)).not.toEqual([]);
  });

  it('a collector that refuses or never answers fails no request, is one line in the log, and does not delay the end', async () => {
    const refusing = await collector((_, response) => response.writeHead(400).end());
    const silent = await collector(() => undefined);
    for (const { url } of [refusing, silent]) {
      const server = await demoServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        ORGANIZATION_KEY_LIMIT: '10000',
      });
      // Each request has two spans or more, so there are more than may wait.
      for (let round = 0; round < 60; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            send(server, '/api/user-management/v1/teams', demo.organizationKey),
          ),
        );
        expect(answers.every(({ status }) => status === 200)).toBe(true);
      }
      await stop(server);
      const warnings = server
        .output()
        .split('\n')
        .filter((line) => line.includes('The OpenTelemetry collector does not accept data'))
        .map((line) => JSON.parse(line));
      // Each part of the program has its own exporters, for traces and for metrics.
      expect(warnings.length).toBeLessThanOrEqual(6);
      if (url === refusing.url) expect(warnings.length).toBeGreaterThan(0);
    }
  });
});

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  // The test of always_off shows that the files are found if they are loaded.
  it('nothing of OpenTelemetry is loaded', async () => {
    const coverage = directory();
    const server = await demoServer({ NODE_V8_COVERAGE: coverage });
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    await stop(server);
    expect(openTelemetryIn(coverage)).toEqual([]);
  });
});
