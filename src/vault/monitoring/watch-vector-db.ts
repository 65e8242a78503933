import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { explainRejection, signRequest } from '../signature.ts';

const timeoutMs = 2_000;
const timeoutIntervals = 20;
const cacheMs = 1_000;
const unauthorized = 401;

export type Reachability = {
  status: 'healthy' | 'unhealthy';
  latencyMs: number | null;
  checkedAt: Date;
};
export type DatabaseSample = {
  status: 'healthy' | 'unhealthy';
  documentCount: number | null;
  latencyMs: number | null;
};

type VectorDbWatchOptions = { url: string; secret: string; log: Log };

/** An answer without a message comes from another program. */
const refusal = z.object({ message: z.string() }).catch({ message: '' });
const metaSchema = z.object({ documentCount: z.number() });

/**
 * Checks whether the vector database answers, and accepts the secret. The result, success or failure, is cached for one
 * second, however many callers ask.
 */
export function createVectorDbWatch({ url, secret, log }: VectorDbWatchOptions) {
  let wasRejected = false;
  let last: { at: number; reachability: Promise<Reachability> } | undefined;

  const get = async (path: string): Promise<unknown> => {
    const authorization = signRequest({ method: 'GET', path }, { secret, audience: 'vector-db' });
    const answer = await requestJson(`${url}${path}`, authorization);
    const isRejected = answer?.status === unauthorized;
    if (isRejected && !wasRejected)
      log.error(
        explainRejection(
          { ...refusal.parse(answer?.body), challenge: answer?.challenge },
          {
            server: 'vector database',
            sender: 'vault',
          },
        ),
      );
    wasRejected = isRejected;
    return answer?.isOk ? answer.body : undefined;
  };

  const check = async (): Promise<Reachability> => {
    const startedAt = performance.now();
    const answer = await get('/v1/.well-known/ready');
    return {
      status: answer ? 'healthy' : 'unhealthy',
      latencyMs: answer ? elapsedMs(startedAt) : null,
      checkedAt: new Date(),
    };
  };
  return {
    reachability(): Promise<Reachability> {
      const now = performance.now();
      if (last && now - last.at < cacheMs) return last.reachability;
      last = { at: now, reachability: check() };
      return last.reachability;
    },
    async sample(): Promise<DatabaseSample> {
      const startedAt = performance.now();
      const { data } = metaSchema.safeParse(await get('/v1/meta'));
      return data
        ? { status: 'healthy', documentCount: data.documentCount, latencyMs: elapsedMs(startedAt) }
        : { status: 'unhealthy', documentCount: null, latencyMs: null };
    },
  };
}

const elapsedMs = (startedAt: number) => Math.round((performance.now() - startedAt) * 100) / 100;

/** The answer of the vector database. Without any the vector database is not reachable. */
async function requestJson(
  address: string,
  authorization: string,
): Promise<{ status: number; isOk: boolean; challenge: string | null; body: unknown } | undefined> {
  const timeout = new AbortController();
  let remainingIntervals = timeoutIntervals;
  // The timeout is counted in short intervals. If this process is blocked, for example at its start,
  // that counts as one interval only, because the delay says nothing about the vector database.
  const timer = setInterval(() => {
    remainingIntervals -= 1;
    if (remainingIntervals === 0) timeout.abort();
  }, timeoutMs / timeoutIntervals);
  try {
    const response = await fetch(address, {
      headers: { authorization },
      redirect: 'error',
      signal: timeout.signal,
    });
    const body: unknown = await response.json();
    return {
      status: response.status,
      isOk: response.ok,
      challenge: response.headers.get('www-authenticate'),
      body,
    };
  } catch {
    return undefined;
  } finally {
    clearInterval(timer);
  }
}
