import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFrontDoor } from '../../src/platform/front-door.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { listen } from '../../src/platform/server.ts';
import { linesOfLog } from '../support/vault.ts';

const { lines, log } = linesOfLog();
const door = createFrontDoor({
  handlerFor:
    () =>
    async (_, { url, headers }) =>
      new Response(url.host, { headers }),
  origins: [],
  isStopping: () => false,
  metrics: createMetrics(),
  log,
});
const server = createServer(door.listener);
let port: number;
beforeAll(async () => {
  port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
});
afterAll(() => server.close());

/** What is answered to a request that names this host, whatever it is. */
async function asking(host: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    Buffer.from(`GET /path HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1'),
  );
  return text(socket);
}

describe('a Host header', () => {
  it('tells a handler the address under which it was asked', async () => {
    expect(await asking('atrium.example:8080')).toMatch(/^HTTP\/1\.1 200 .*atrium\.example:8080/s);
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
  ])('that is no host (%s) is a fault of the sender, not of ours', async (host) => {
    expect(await asking(host)).toMatch(/^HTTP\/1\.1 400 .*The Host header is not a valid host/s);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
