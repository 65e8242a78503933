import { z } from 'zod';

const answerMs = 2_000;
const looks = 20;
const freshMs = 1_000;

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

const meta = z.object({ documentCount: z.number() });

/**
 * Asks the vector database how it is. Many may ask at once: it is asked at most once a second, and
 * a failure is forgotten as fast.
 */
export function createVectorDbWatch(url: string) {
  let last: { at: number; found: Promise<Reachability> } | undefined;

  const look = async (): Promise<Reachability> => {
    const startedAt = performance.now();
    const found = await ask(`${url}/v1/.well-known/ready`);
    return {
      status: found ? 'healthy' : 'unhealthy',
      latencyMs: found ? since(startedAt) : null,
      checkedAt: new Date(),
    };
  };
  return {
    reachability(): Promise<Reachability> {
      const now = performance.now();
      if (last && now - last.at < freshMs) return last.found;
      last = { at: now, found: look() };
      return last.found;
    },
    async sample(): Promise<DatabaseSample> {
      const startedAt = performance.now();
      const { data } = meta.safeParse(await ask(`${url}/v1/meta`));
      return data
        ? { status: 'healthy', documentCount: data.documentCount, latencyMs: since(startedAt) }
        : { status: 'unhealthy', documentCount: null, latencyMs: null };
    },
  };
}

const since = (startedAt: number) => Math.round((performance.now() - startedAt) * 100) / 100;

// Whatever keeps it from answering, it is not there.
async function ask(address: string): Promise<unknown> {
  const patience = new AbortController();
  let left = looks;
  // A moment in which this process had no time to take an answer, as at its start, counts as one
  // look: it says nothing of the other side.
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) patience.abort();
  }, answerMs / looks);
  try {
    const response = await fetch(address, { redirect: 'error', signal: patience.signal });
    const body: unknown = await response.json();
    return response.ok ? body : undefined;
  } catch {
    return undefined;
  } finally {
    clearInterval(timer);
  }
}
