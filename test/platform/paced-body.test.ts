import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError, errorCatalogue } from '../../src/platform/errors.ts';
import { pacedBody } from '../../src/platform/paced-body.ts';
import { listen } from '../../src/platform/server.ts';
import { listenerOver } from '../../src/platform/text-response.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

/** A sender by hand: what it pushes is what has arrived. */
function sender() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  return {
    body,
    push: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    end: () => controller?.close(),
  };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

const pace = { bytesMax: 1_000_000, bytesPerSecondMin: 1_000, patienceMs: 10_000 };

describe('a paced body', () => {
  it('that is absent holds nothing', async () => {
    expect(await bytesOf(pacedBody(null, pace))).toBe(0);
  });

  it('of exactly the limit is taken, and one byte more is refused as soon as it comes', async () => {
    const exact = sender();
    exact.push(600_000);
    exact.push(400_000);
    exact.end();
    expect(await bytesOf(pacedBody(exact.body, pace))).toBe(1_000_000);
    const endless = sender();
    endless.push(1_000_000);
    endless.push(1);
    await expect(bytesOf(pacedBody(endless.body, pace))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 1000000 bytes',
    });
  });

  it('that falls silent is given up when the patience is used up', async () => {
    vi.useFakeTimers();
    const { body, push } = sender();
    push(10);
    const outcome = expect(bytesOf(pacedBody(body, pace))).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(10_100);
    await outcome;
  });

  it('that drips more slowly than allowed is given up, however long it keeps dripping', async () => {
    vi.useFakeTimers();
    const { body, push } = sender();
    let isOver = false;
    const outcome = expect(
      bytesOf(pacedBody(body, pace)).finally(() => (isOver = true)),
    ).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    let seconds = 0;
    for (; !isOver && seconds < 100; seconds += 1) {
      push(500);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await outcome;
    // Each second costs a second and earns half of one.
    expect(seconds).toBeGreaterThanOrEqual(19);
    expect(seconds).toBeLessThanOrEqual(21);
  });

  it('of a slow but honest line is taken, longer than the patience lasts', async () => {
    vi.useFakeTimers();
    const { body, push, end } = sender();
    const whole = bytesOf(pacedBody(body, pace));
    for (let seconds = 0; seconds < 100; seconds += 5) {
      await vi.advanceTimersByTimeAsync(5_000);
      push(6_000);
    }
    end();
    expect(await whole).toBe(120_000);
  });

  it('is not blamed for the time that its reader takes', async () => {
    vi.useFakeTimers();
    const { body, push, end } = sender();
    const chunks = pacedBody(body, pace);
    for (let piece = 0; piece < 4; piece += 1) push(10);
    end();
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      await vi.advanceTimersByTimeAsync(9_999);
    }
    expect(bytes).toBe(40);
  });

  it('ends with the reason of the signal that stops it, also when it stopped before', async () => {
    const { body } = sender();
    const controller = new AbortController();
    const outcome = expect(
      bytesOf(pacedBody(body, { ...pace, signal: controller.signal })),
    ).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await outcome;
    await expect(
      bytesOf(pacedBody(sender().body, { ...pace, signal: controller.signal })),
    ).rejects.toThrow('enough');
  });
});

/**
 * A real server that counts a body and answers its length, or the refusal. `onChunk` may keep it
 * waiting.
 */
async function countingServer(
  bytesMax: number,
  onChunk: (bytes: number) => Promise<void> | void = () => {},
) {
  const faults: unknown[] = [];
  const adapter = createServerAdapter(async (request) => {
    let bytes = 0;
    try {
      for await (const chunk of pacedBody(request.body, { bytesMax, bytesPerSecondMin: 1_000 })) {
        bytes += chunk.length;
        await onChunk(bytes);
      }
      return new Response(String(bytes));
    } catch (error) {
      faults.push(error);
      return new Response('refused', {
        status: error instanceof AppError ? errorCatalogue[error.code].status : 500,
      });
    }
  });
  const server = createServer(
    listenerOver((request, response) => adapter.handleNodeRequestAndResponse(request, response)),
  );
  const address = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address, faults };
}

async function sendTo(
  address: string,
  bytes: number,
): Promise<{ status: number | undefined; text: string }> {
  const request = httpRequest(address, { method: 'PUT' });
  const answered = once(request, 'response').then(([response]: IncomingMessage[]) => response);
  // After a refusal the server may take no more; what counts is the answer.
  pipeline(Readable.from(piecesOf(bytes)), request).catch(() => {});
  const response = await answered;
  let text = '';
  for await (const chunk of response ?? []) text += String(chunk);
  request.destroy();
  return { status: response?.statusCode, text };
}

function* piecesOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
}

describe('a paced body from the network', () => {
  it('comes whole', async () => {
    const { address } = await countingServer(20_000_000);
    expect(await sendTo(address, 20_000_000)).toEqual({ status: 200, text: '20000000' });
  });

  it('that is too large is answered with 413, which its sender sees while it is still sending', async () => {
    const { address } = await countingServer(1_000_000);
    expect(await sendTo(address, 30_000_000)).toEqual({ status: 413, text: 'refused' });
  });

  it('waits at its sender while its reader is behind', async () => {
    const gate = Promise.withResolvers<void>();
    const { address } = await countingServer(100_000_000, () => gate.promise);
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    closers.push(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n');
    socket.write(Buffer.alloc(60_000_000));
    // What neither the server nor the buffers of the system take stays with the sender: all of it
    // came only if nothing was held back.
    let before = -1;
    while (before !== socket.bytesWritten - socket.writableLength) {
      before = socket.bytesWritten - socket.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(socket.writableLength).toBeGreaterThan(30_000_000);
    gate.resolve();
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK\r\n.*60000000/s);
  });

  it('ends with a fault that is no refusal when its sender is gone', async () => {
    const { address, faults } = await countingServer(1_000_000);
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nbegun');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await vi.waitFor(() => expect(faults).toHaveLength(1));
    expect(faults[0]).not.toBeInstanceOf(AppError);
  });
});
