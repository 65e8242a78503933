import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../src/platform/server.ts';
import { listenerOver, TextResponse } from '../../src/platform/text-response.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A connection to a server that refuses everything without a look at the body. */
async function refusedConnection() {
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000 },
    listenerOver(() => new TextResponse('refused', { status: 401, headers: {} })),
  );
  const { hostname, port } = new URL(await listen(server, { HOST: '127.0.0.1', PORT: 0 }));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let answers = '';
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString();
  });
  closers.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(socket, 'connect');
  return { socket, answers: () => answers.split('HTTP/1.1 401').length - 1, text: () => answers };
}

const head = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';

describe('an answer that does not wait for the body', () => {
  it('is followed by the end of the connection when the body never ends', async () => {
    const { socket, answers } = await refusedConnection();
    socket.write(head);
    const drip = setInterval(() => socket.write('x'), 100);
    closers.push(() => clearInterval(drip));
    await once(socket, 'close');
    expect(answers()).toBe(1);
  });

  it('says that it ends the connection, and ends it when the body has come', async () => {
    const { socket, text } = await refusedConnection();
    socket.write(head);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n.*refused$/is);
    socket.write('x'.repeat(1000));
    await once(socket, 'close');
  });
});
