import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequestPipeline } from '../../src/http/request-pipeline.ts';
import { listen } from '../../src/http/server.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { recordLog } from '../support/vault.ts';

const { lines, log } = recordLog();
const pipeline = createRequestPipeline({
  handlerFor:
    () =>
    async (_, { url, headers }) =>
      new Response(`${url.host} ${url.pathname}${url.search}`, { headers }),
  origins: [],
  isStopping: () => false,
  metrics: createMetrics(),
  log,
});
const server = createServer(pipeline.listener);
let port: number;
beforeAll(async () => {
  port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
});
afterAll(() => server.close());

/** The raw response to a request with this Host header and this target. */
async function responseTo(host: string, target = '/path'): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1'),
  );
  return text(socket);
}

describe('the Host header', () => {
  it('a handler gets the requested host in its URL', async () => {
    expect(await responseTo('atrium.example:8080')).toMatch(
      /^HTTP\/1\.1 200 .*atrium\.example:8080/s,
    );
  });

  it.each([
    'a b',
    '[',
    '[::1',
    'a:b:c',
    '%',
    '<script>',
    'host:99999',
    '|',
    '^',
    'host/other?',
    'host?a=',
    'host#',
    'a@host',
    'host\\other',
  ])('the invalid host "%s" is rejected with 400 and not logged as an error', async (host) => {
    expect(await responseTo(host)).toMatch(
      /^HTTP\/1\.1 400 .*The Host header is not a valid host/s,
    );
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

/** RFC 9112, section 3.2.2: every server must accept it, and its host counts. */
describe('a request target in absolute form', () => {
  it.each([
    ['http://atrium.example:8080/path?a=b', 'atrium.example:8080 /path?a=b'],
    ['HTTPS://atrium.example/path/', 'atrium.example /path/'],
    ['http://atrium.example', 'atrium.example /'],
    ['http://atrium.example?a=b', 'atrium.example /?a=b'],
  ])('%s is the path of the host that it names', async (target, expected) => {
    const response = await responseTo('proxy.example', target);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain(`\r\n${expected}\r\n`);
  });

  it.each(['http://user@atrium.example/path', 'http://[/path'])(
    '%s has no valid host and is rejected with 400',
    async (target) => {
      expect(await responseTo('proxy.example', target)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('a request without a Host header is rejected also in this form', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET http://atrium.example/path HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
