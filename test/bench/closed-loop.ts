import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type LoadResult = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
};

type ClosedLoopOptions = {
  origin: string;
  connections: number;
  seconds: number;
  /** The next request, as it is sent. */
  nextRequest: () => string;
};

/**
 * A load generator that takes little processor time beside the server: it only finds the end of
 * each answer.
 */
export async function runClosedLoop({
  origin,
  connections,
  seconds,
  nextRequest,
}: ClosedLoopOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(origin);
  const times: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  async function runConnection(): Promise<void> {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay();
    await once(socket, 'connect');
    const statuses = answersOn(socket);
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      socket.write(nextRequest());
      const { value: status, done } = await statuses.next();
      times.push(performance.now() - sentAt);
      if (done || status < 200 || status > 299) failed += 1;
      if (done) break;
    }
    socket.destroy();
  }

  await Promise.all(Array.from({ length: connections }, runConnection));
  const elapsed = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return {
    requests: times.length,
    seconds: elapsed,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    failed,
  };
}

const lastChunk = '\r\n0\r\n\r\n';

/** The status of each answer on a connection, once the answer is complete. */
async function* answersOn(socket: Socket): AsyncGenerator<number, undefined> {
  let received = '';
  // Each byte is one character, so that lengths are those of the headers.
  socket.setEncoding('latin1');
  for await (const chunk of socket) {
    received += chunk;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) continue;
    const head = received.slice(0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isComplete =
      length === undefined
        ? received.endsWith(lastChunk)
        : received.length >= headEnd + 4 + Number(length);
    if (!isComplete) continue;
    received = '';
    yield Number(head.slice(9, 12));
  }
  return undefined;
}
