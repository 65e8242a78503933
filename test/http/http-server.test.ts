import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequestPipeline } from '../../src/http/request-pipeline.ts';
import { TextResponse } from '../../src/http/text-response.ts';
import type { ErrorCode } from '../../src/platform/errors.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { serveHttp } from '../support/http-server.ts';
import { sendRaw } from '../support/raw-http.ts';
import { recordLog } from '../support/vault.ts';

const { log } = recordLog();
const pipeline = createRequestPipeline({
  handlerFor: (pathname) =>
    pathname === '/read'
      ? async (request, { headers }) =>
          new TextResponse(`${(await request.bytes()).length} bytes`, { status: 200, headers })
      : async (_, { headers }) => new TextResponse('refused', { status: 403, headers }),
  origins: [],
  isStopping: () => false,
  metrics: createMetrics(),
  log,
});
let server: Awaited<ReturnType<typeof serveHttp>>;
beforeAll(async () => {
  server = await serveHttp(pipeline.listener);
});
afterAll(() => server.close());

describe('requests that are rejected before any handler', () => {
  it.each<[string, string[], number, ErrorCode?]>([
    ['a malformed request line', ['hello\r\n\r\n'], 400],
    ['an unknown method', ['FOO / HTTP/1.1\r\nHost: a\r\n\r\n'], 400],
    ['a malformed header', ['GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n'], 400],
    [
      'two Content-Length headers',
      ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      400,
    ],
    [
      'headers that are too large',
      [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an address that is too large',
      [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an unknown expectation',
      ['GET / HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\n\r\n'],
      417,
      'EXPECTATION_FAILED',
    ],
    ['no host', ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n'], 400],
    ['two hosts', ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'], 400],
    [
      'the same host twice',
      ['GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n'],
      400,
    ],
    ['an invalid host', ['GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'], 400],
    [
      'a CONNECT request',
      ['CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n'],
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'malformed chunks',
      ['POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'],
      400,
    ],
  ])(
    'a request with %s gets one response, with the error body and the request id',
    async (_, pieces, status, code = 'BAD_INPUT') => {
      const { answers: responses } = await sendRaw(server.port, ...pieces);
      expect(responses).toHaveLength(1);
      const [response] = responses;
      expect([
        response?.status,
        response?.headers.get('content-type'),
        response?.headers.get('connection'),
      ]).toEqual([status, 'application/json; charset=utf-8', 'close']);
      const body = JSON.parse(response?.body ?? '');
      expect(body).toMatchObject({
        status: 'error',
        message: expect.stringMatching(/\w/),
        code,
        requestId: response?.headers.get('x-request-id'),
      });
      expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('a client that continues to send still gets the error response', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { answers: responses } = await sendRaw(
        server.port,
        `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(4_000_000)}\r\n\r\n`,
      );
      expect(responses.map(({ status }) => status)).toEqual([431]);
    }
  });

  it('a malformed request is logged with its request id', async () => {
    const { answers: responses } = await sendRaw(server.port, 'hello\r\n\r\n');
    const requestId = responses[0]?.headers.get('x-request-id');
    expect(server.lines.filter((line) => line.includes(String(requestId)))).toHaveLength(1);
  });

  it('an HTTP/1.0 request needs no Host header', async () => {
    const { answers: responses } = await sendRaw(server.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(responses[0]?.status).toBe(403);
  });
});

describe('Expect: 100-continue', () => {
  const send = async (path: string) => {
    const sent = request({
      port: server.port,
      path,
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 3 },
      agent: false,
    });
    const continues: string[] = [];
    sent.on('continue', () => {
      continues.push('100');
      sent.end('abc');
    });
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    const text = Buffer.concat(await response.toArray()).toString();
    sent.destroy();
    return {
      status: response.statusCode,
      text,
      continues,
      connection: response.headers.connection,
    };
  };

  it('a request with Expect: 100-continue gets "100 Continue" as soon as its body is read', async () => {
    expect(await send('/read')).toMatchObject({ status: 200, text: '3 bytes', continues: ['100'] });
  });

  it('a request with Expect: 100-continue gets only the error if its body is not read', async () => {
    expect(await send('/refused')).toEqual({
      status: 403,
      text: 'refused',
      continues: [],
      connection: 'close',
    });
  });

  it('a client that does not wait for "100 Continue" is served as well', async () => {
    const { answers: responses } = await sendRaw(
      server.port,
      'POST /read HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
    );
    expect(responses.map(({ status }) => status)).toEqual([100, 200]);
  });
});

describe('clients that continue to send after an error', () => {
  const head = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n';

  it('the connection of a client that continues to send slowly is closed', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    const drip = setInterval(() => socket.write('x'), 100);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    // `once` would reject: what the client still sends can be answered with a reset.
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(text.match(/HTTP\/1\.1 403/g)).toHaveLength(1);
  });

  it('the connection is closed when the body ends, and a further request on it gets no response', async () => {
    const { answers: responses } = await sendRaw(
      server.port,
      'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n',
      Buffer.alloc(1_000_000),
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [403, 'close'],
    ]);
  });
});

it('a request whose body was complete before the response leaves the connection open for the next one', async () => {
  const { answers: responses } = await sendRaw(
    server.port,
    'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
    'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
  );
  expect(responses.map(({ status }) => status)).toEqual([403, 403]);
});
