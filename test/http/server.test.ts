import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createServerPart, listen } from '../../src/http/server.ts';

it('a closing server responds to all clients that had connected, although Node accepts one connection per turn of the event loop', async () => {
  const server = createServer((_, response) => response.end('answered'));
  const port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
  const close = vi.fn(async () => undefined);
  const part = createServerPart(server, { stop: () => undefined, close });
  const responses = Array.from({ length: 50 }, async () => {
    const clientRequest = request({ host: '127.0.0.1', port, agent: false });
    clientRequest.end();
    const [response] = await once(clientRequest, 'response');
    response.resume();
    return response.statusCode;
  });
  // At this point the kernel has accepted the connections, and the server hardly any of them.
  await new Promise(setImmediate);
  await part.close();
  expect(await Promise.all(responses)).toEqual(responses.map(() => 200));
  expect(close).toHaveBeenCalledOnce();
});

it('a closing server does not wait for a connection without a request', async () => {
  // No timeout may end the unused connection.
  const server = createServer(
    { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 },
    (_, response) => response.end('answered'),
  );
  const port = Number(new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 })).port);
  const part = createServerPart(server, { stop: () => undefined, close: async () => undefined });
  const [accepted, unusedConnection] = [once(server, 'connection'), connect(port, '127.0.0.1')];
  await accepted;
  const ended = once(unusedConnection, 'close');
  await part.close();
  await ended;
});
