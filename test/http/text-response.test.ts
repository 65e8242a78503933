import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Response } from '@whatwg-node/fetch';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/server.ts';
import { createListener, TextResponse } from '../../src/http/text-response.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A connection to a server that rejects every request without reading the body. */
async function connectToRejectingServer() {
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000 },
    createListener(() => new TextResponse('refused', { status: 401, headers: {} })),
  );
  const { hostname, port } = new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 }));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  closers.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(socket, 'connect');
  return {
    socket,
    responseCount: () => received.split('HTTP/1.1 401').length - 1,
    text: () => received,
  };
}

const head = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';

describe('a response before the body was read', () => {
  it('the connection is closed after the response if the body never ends', async () => {
    const { socket, responseCount } = await connectToRejectingServer();
    socket.write(head);
    const drip = setInterval(() => socket.write('x'), 100);
    closers.push(() => clearInterval(drip));
    await once(socket, 'close');
    expect(responseCount()).toBe(1);
  });

  it('the response announces that it closes the connection, which is closed when the body has arrived', async () => {
    const { socket, text } = await connectToRejectingServer();
    socket.write(head);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n.*refused$/is);
    socket.write('x'.repeat(1000));
    await once(socket, 'close');
  });
});

describe('a streamed response', () => {
  it('A body that fails after its first bytes breaks the connection off, and the next request is answered', async () => {
    const failing = () => {
      let chunks = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          chunks += 1;
          if (chunks > 2) throw new Error('the rest is lost');
          controller.enqueue(new Uint8Array(10));
        },
      });
    };
    const server = createServer(
      createListener(({ url }) =>
        url === '/failing'
          ? new Response(failing())
          : new TextResponse('ok', { status: 200, headers: {} }),
      ),
    );
    const origin = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const read = async (path: string) => (await fetch(new URL(path, origin))).text();
    await expect(read('/failing')).rejects.toThrow();
    expect(await read('/')).toBe('ok');
  });

  it('A body is cancelled if the client has disconnected before the response begins', async () => {
    const answer = Promise.withResolvers<Response>();
    const disconnected = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const server = createServer(
      createListener((_, response) => {
        response.once('close', disconnected.resolve);
        return answer.promise;
      }),
    );
    const { hostname, port } = new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 }));
    closers.push(() => server.close());
    const socket = connect(Number(port), hostname);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.destroy());
    await disconnected.promise;
    answer.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
    await cancelled.promise;
  });
});
