import { Agent, request } from 'node:http';
import { setInterval as every } from 'node:timers/promises';

/**
 * The outcome of one request. Without `status` its connection broke; `refused` means that the port
 * was closed.
 */
export type SentRequest = {
  sentAt: number;
  answeredAt?: number;
  email?: string;
  status?: number;
  closes?: boolean;
  refused?: boolean;
  fault?: string;
};

const perSecond = 200;
const tickMs = 20;
// At most 64 requests are open at once. On a slow machine a longer queue would decide how long the
// stop takes.
const waitingMax = 64;

/** Sends 200 requests a second until `end()`: two of three read, the third creates a user. */
export function steadyTraffic(origin: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: waitingMax });
  const path = '/api/user-management/v1/users';
  const sent: SentRequest[] = [];
  const inProgress: Promise<void>[] = [];
  const stopping = new AbortController();
  const startedAt = performance.now();
  let due = 0;
  let waiting = 0;

  const send = (): Promise<void> => {
    const number = sent.length;
    const isWrite = number % 3 === 2;
    const body = isWrite ? JSON.stringify({ email: `steady-${number}@stop.example` }) : undefined;
    const entry: SentRequest = {
      sentAt: performance.now(),
      ...(isWrite && { email: `steady-${number}@stop.example` }),
    };
    sent.push(entry);
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      const outgoing = request(
        origin + (isWrite ? path : `${path}?pageSize=5`),
        { agent, method: isWrite ? 'POST' : 'GET', headers },
        (answer) => {
          answer.resume();
          answer.once('end', () => {
            Object.assign(entry, {
              answeredAt: performance.now(),
              status: answer.statusCode,
              closes: answer.headers.connection === 'close',
            });
            resolve();
          });
          // An answer that breaks off after its headers emits no 'end'.
          answer.once('close', resolve);
        },
      );
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        Object.assign(entry, {
          fault: error.code ?? error.message,
          refused: error.code === 'ECONNREFUSED',
        });
        resolve();
      });
      outgoing.end(body);
    });
  };

  const running = (async () => {
    try {
      for await (const _ of every(tickMs, undefined, { signal: stopping.signal })) {
        for (; due < ((performance.now() - startedAt) / 1000) * perSecond; due += 1) {
          if (waiting >= waitingMax) continue;
          waiting += 1;
          inProgress.push(send().finally(() => (waiting -= 1)));
        }
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  })();

  return {
    sent,
    /** The answers per second during the last `seconds`. */
    rate(seconds: number): number {
      const since = performance.now() - seconds * 1000;
      return sent.filter(({ answeredAt = 0 }) => answeredAt > since).length / seconds;
    },
    /** Stops sending, and waits until the outcome of each request is known. */
    async end(): Promise<void> {
      stopping.abort();
      await running;
      await Promise.all(inProgress);
      agent.destroy();
    },
  };
}
