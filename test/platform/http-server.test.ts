import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/platform/errors.ts';
import { createFrontDoor } from '../../src/platform/front-door.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { TextResponse } from '../../src/platform/text-response.ts';
import { serving } from '../support/http-server.ts';
import { linesOfLog } from '../support/vault.ts';
import { talk } from '../support/wire.ts';

const { log } = linesOfLog();
const door = createFrontDoor({
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
let server: Awaited<ReturnType<typeof serving>>;
beforeAll(async () => {
  server = await serving(door.listener);
});
afterAll(() => server.close());

describe('a request that is refused below HTTP', () => {
  it.each<[string, string[], number, ErrorCode?]>([
    ['a malformed request line', ['hello\r\n\r\n'], 400],
    ['an unknown method', ['FOO / HTTP/1.1\r\nHost: a\r\n\r\n'], 400],
    ['a malformed header', ['GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n'], 400],
    [
      'two lengths',
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
      'an expectation that nobody meets',
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
    ['a host that is none', ['GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'], 400],
    [
      'a tunnel to elsewhere',
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
    'for %s is answered once, with the error body and the request id',
    async (_, pieces, status, code = 'BAD_INPUT') => {
      const { answers } = await talk(server.port, ...pieces);
      expect(answers).toHaveLength(1);
      const [answer] = answers;
      expect([
        answer?.status,
        answer?.headers.get('content-type'),
        answer?.headers.get('connection'),
      ]).toEqual([status, 'application/json; charset=utf-8', 'close']);
      const body = JSON.parse(answer?.body ?? '');
      expect(body).toMatchObject({
        status: 'error',
        message: expect.stringMatching(/\w/),
        code,
        requestId: answer?.headers.get('x-request-id'),
      });
      expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('gets its answer although it goes on sending', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { answers } = await talk(
        server.port,
        `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(4_000_000)}\r\n\r\n`,
      );
      expect(answers.map(({ status }) => status)).toEqual([431]);
    }
  });

  it('is in the log under its request id', async () => {
    const { answers } = await talk(server.port, 'hello\r\n\r\n');
    const requestId = answers[0]?.headers.get('x-request-id');
    expect(server.lines.filter((line) => line.includes(String(requestId)))).toHaveLength(1);
  });

  it('as HTTP/1.0 needs no host', async () => {
    const { answers } = await talk(server.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(answers[0]?.status).toBe(403);
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
    const goesOn: string[] = [];
    sent.on('continue', () => {
      goesOn.push('100');
      sent.end('abc');
    });
    sent.flushHeaders();
    const [answer] = await once(sent, 'response');
    const text = Buffer.concat(await answer.toArray()).toString();
    sent.destroy();
    return { status: answer.statusCode, text, goesOn, connection: answer.headers.connection };
  };

  it('is answered with 100 as soon as the body is read', async () => {
    expect(await send('/read')).toMatchObject({ status: 200, text: '3 bytes', goesOn: ['100'] });
  });

  it('is answered with the refusal alone when the body is not read', async () => {
    expect(await send('/refused')).toEqual({
      status: 403,
      text: 'refused',
      goesOn: [],
      connection: 'close',
    });
  });

  it('with the body at once is served as well', async () => {
    const { answers } = await talk(
      server.port,
      'POST /read HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
    );
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
  });
});

describe('a client that goes on after its refusal', () => {
  const head = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n';

  it('in drops is closed', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    const drip = setInterval(() => socket.write('x'), 100);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(socket, 'close');
    clearInterval(drip);
    expect(text.match(/HTTP\/1\.1 403/g)).toHaveLength(1);
  });

  it('is closed when its body has come to its end, and nothing behind it is answered', async () => {
    const { answers } = await talk(
      server.port,
      'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n',
      Buffer.alloc(1_000_000),
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [403, 'close'],
    ]);
  });
});

it('a request whose body came before its answer leaves the connection to the next one', async () => {
  const { answers } = await talk(
    server.port,
    'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
    'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
});
