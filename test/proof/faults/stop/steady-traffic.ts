import { Agent, request } from 'node:http';
import { setInterval as every } from 'node:timers/promises';

/**
 * What became of one request. `status` is absent where its connection broke, `refused` where nobody
 * took it.
 */
export type Sent = {
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
// On a machine that does not keep up no more than these wait, or the end would be a matter of the
// queue.
const waitingMax = 64;

/**
 * 200 requests a second: two of three read, the others make a user. They go on until they are
 * stopped.
 */
export function steadyTraffic(origin: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: waitingMax });
  const path = '/api/user-management/v1/users';
  const sent: Sent[] = [];
  const under: Promise<void>[] = [];
  const stopping = new AbortController();
  const startedAt = performance.now();
  let due = 0;
  let waiting = 0;

  const send = (): Promise<void> => {
    const number = sent.length;
    const isWrite = number % 3 === 2;
    const body = isWrite ? JSON.stringify({ email: `steady-${number}@stop.example` }) : undefined;
    const one: Sent = {
      sentAt: performance.now(),
      ...(isWrite && { email: `steady-${number}@stop.example` }),
    };
    sent.push(one);
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      const asked = request(
        origin + (isWrite ? path : `${path}?pageSize=5`),
        { agent, method: isWrite ? 'POST' : 'GET', headers },
        (answer) => {
          answer.resume();
          answer.once('end', () => {
            Object.assign(one, {
              answeredAt: performance.now(),
              status: answer.statusCode,
              closes: answer.headers.connection === 'close',
            });
            resolve();
          });
          // An answer that breaks off after its head has no end.
          answer.once('close', resolve);
        },
      );
      asked.once('error', (error: NodeJS.ErrnoException) => {
        Object.assign(one, {
          fault: error.code ?? error.message,
          refused: error.code === 'ECONNREFUSED',
        });
        resolve();
      });
      asked.end(body);
    });
  };

  const running = (async () => {
    try {
      for await (const _ of every(tickMs, undefined, { signal: stopping.signal })) {
        for (; due < ((performance.now() - startedAt) / 1000) * perSecond; due += 1) {
          if (waiting >= waitingMax) continue;
          waiting += 1;
          under.push(send().finally(() => (waiting -= 1)));
        }
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  })();

  return {
    sent,
    /** Answers a second in the last seconds. */
    rate(seconds: number): number {
      const since = performance.now() - seconds * 1000;
      return sent.filter(({ answeredAt = 0 }) => answeredAt > since).length / seconds;
    },
    /** Sends no more, and waits until it is known what became of each. */
    async end(): Promise<void> {
      stopping.abort();
      await running;
      await Promise.all(under);
      agent.destroy();
    },
  };
}
