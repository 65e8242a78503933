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
      new Response(url.host, { headers }),
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

/** The raw response to a request with this Host header. */
async function responseTo(host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    Buffer.from(`GET /path HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1'),
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
