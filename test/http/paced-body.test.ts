import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pacedBody } from '../../src/http/paced-body.ts';
import { listen } from '../../src/http/server.ts';
import { createListener } from '../../src/http/text-response.ts';
import { AppError, errorCatalogue } from '../../src/platform/errors.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

/** A body whose chunks the test pushes. */
function sender() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(streamController) {
      controller = streamController;
    },
  });
  return {
    body,
    push: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    end: () => controller?.close(),
  };
}

async function countBytes(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

const limits = { bytesMax: 1_000_000, bytesPerSecondMin: 1_000, patienceMs: 10_000 };

describe('a paced body', () => {
  it('a missing body has no bytes', async () => {
    expect(await countBytes(pacedBody(null, limits))).toBe(0);
  });

  it('a body of exactly the limit is read, and one more byte is rejected as soon as it arrives', async () => {
    const exact = sender();
    exact.push(600_000);
    exact.push(400_000);
    exact.end();
    expect(await countBytes(pacedBody(exact.body, limits))).toBe(1_000_000);
    const endless = sender();
    endless.push(1_000_000);
    endless.push(1);
    await expect(countBytes(pacedBody(endless.body, limits))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 1000000 bytes',
    });
  });

  it('a body whose sender falls silent is rejected when the patience is used up', async () => {
    vi.useFakeTimers();
    const { body, push } = sender();
    push(10);
    const outcome = expect(countBytes(pacedBody(body, limits))).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(10_100);
    await outcome;
  });

  it('a body that arrives more slowly than allowed is rejected, however long it continues', async () => {
    vi.useFakeTimers();
    const { body, push } = sender();
    let isSettled = false;
    const outcome = expect(
      countBytes(pacedBody(body, limits)).finally(() => (isSettled = true)),
    ).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    let seconds = 0;
    for (; !isSettled && seconds < 100; seconds += 1) {
      push(500);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await outcome;
    // Each second uses up a second of patience and earns half of it back.
    expect(seconds).toBeGreaterThanOrEqual(19);
    expect(seconds).toBeLessThanOrEqual(21);
  });

  it('a body on a slow line is read although it takes longer than the patience', async () => {
    vi.useFakeTimers();
    const { body, push, end } = sender();
    const total = countBytes(pacedBody(body, limits));
    for (let seconds = 0; seconds < 100; seconds += 5) {
      await vi.advanceTimersByTimeAsync(5_000);
      push(6_000);
    }
    end();
    expect(await total).toBe(120_000);
  });

  it('the time that the reader takes does not count against the sender', async () => {
    vi.useFakeTimers();
    const { body, push, end } = sender();
    const chunks = pacedBody(body, limits);
    for (let piece = 0; piece < 4; piece += 1) push(10);
    end();
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      await vi.advanceTimersByTimeAsync(9_999);
    }
    expect(bytes).toBe(40);
  });

  it('a body ends with the reason of its abort signal, also if that was aborted before', async () => {
    const { body } = sender();
    const controller = new AbortController();
    const outcome = expect(
      countBytes(pacedBody(body, { ...limits, signal: controller.signal })),
    ).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await outcome;
    await expect(
      countBytes(pacedBody(sender().body, { ...limits, signal: controller.signal })),
    ).rejects.toThrow('enough');
  });
});

/**
 * A real HTTP server that responds with the size of the body, or with an error. `onChunk` can delay
 * the reader.
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
    createListener((request, response) => adapter.handleNodeRequestAndResponse(request, response)),
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
  // After an error the server may stop reading; only the response matters.
  pipeline(Readable.from(chunksOf(bytes)), request).catch(() => {});
  const response = await answered;
  let text = '';
  for await (const chunk of response ?? []) text += String(chunk);
  request.destroy();
  return { status: response?.statusCode, text };
}

function* chunksOf(bytes: number): Generator<Buffer> {
  for (let remaining = bytes; remaining > 0; remaining -= 65_536)
    yield Buffer.alloc(Math.min(remaining, 65_536));
}

describe('a paced body from the network', () => {
  it('a body over a socket arrives completely', async () => {
    const { address } = await countingServer(20_000_000);
    expect(await sendTo(address, 20_000_000)).toEqual({ status: 200, text: '20000000' });
  });

  it('a body that is too large gets 413, which the client receives while it is still sending', async () => {
    const { address } = await countingServer(1_000_000);
    expect(await sendTo(address, 30_000_000)).toEqual({ status: 413, text: 'refused' });
  });

  it('a slow reader applies backpressure to the sender', async () => {
    const gate = Promise.withResolvers<void>();
    const { address } = await countingServer(100_000_000, () => gate.promise);
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    closers.push(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n');
    socket.write(Buffer.alloc(60_000_000));
    // Data that neither the server nor the socket buffers accept remains in the client. If the
    // server did not apply backpressure, everything would have been written.
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

  it('a body whose sender disconnects ends with an error that is not an AppError', async () => {
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
