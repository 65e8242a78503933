import { z } from 'zod';

const timeoutMs = 2_000;
const timeoutIntervals = 20;
const cacheMs = 1_000;

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

const metaSchema = z.object({ documentCount: z.number() });

/**
 * Checks whether the vector database answers. The result, success or failure, is cached for one
 * second, however many callers ask.
 */
export function createVectorDbWatch(url: string) {
  let last: { at: number; reachability: Promise<Reachability> } | undefined;

  const check = async (): Promise<Reachability> => {
    const startedAt = performance.now();
    const answer = await requestJson(`${url}/v1/.well-known/ready`);
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
      const { data } = metaSchema.safeParse(await requestJson(`${url}/v1/meta`));
      return data
        ? { status: 'healthy', documentCount: data.documentCount, latencyMs: elapsedMs(startedAt) }
        : { status: 'unhealthy', documentCount: null, latencyMs: null };
    },
  };
}

const elapsedMs = (startedAt: number) => Math.round((performance.now() - startedAt) * 100) / 100;

// Every failure has the same meaning: the vector database is not reachable.
async function requestJson(address: string): Promise<unknown> {
  const timeout = new AbortController();
  let remainingIntervals = timeoutIntervals;
  // The timeout is counted in short intervals. If this process is blocked, for example at its start,
  // that counts as one interval only, because the delay says nothing about the vector database.
  const timer = setInterval(() => {
    remainingIntervals -= 1;
    if (remainingIntervals === 0) timeout.abort();
  }, timeoutMs / timeoutIntervals);
  try {
    const response = await fetch(address, { redirect: 'error', signal: timeout.signal });
    const body: unknown = await response.json();
    return response.ok ? body : undefined;
  } catch {
    return undefined;
  } finally {
    clearInterval(timer);
  }
}
