import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export type LatencyWatch = Awaited<ReturnType<typeof watchLatency>>;

type LatencyFigures = { worstMs: number; count: number; failures: number };

export const watchLivez = (origin: string) => watchLatency(`${origin}/livez`);

/** Measures the latency of an address from a separate thread. */
export async function watchLatency(address: string, headers: Record<string, string> = {}) {
  const thread = new Worker(new URL('./livez-probes.ts', import.meta.url), {
    workerData: { address, headers },
  });
  const read = async (): Promise<LatencyFigures> => {
    thread.postMessage('worst');
    const [figures] = await once(thread, 'message');
    return figures;
  };
  await read();
  return {
    /** The slowest answer while `work` runs. */
    async during(work: () => Promise<unknown>): Promise<number> {
      await read();
      await work();
      return (await read()).worstMs;
    },
    /** The slowest answer without other requests, which shows the delays of the machine itself. */
    async whileIdle(ms: number): Promise<number> {
      await read();
      await pause(ms);
      return (await read()).worstMs;
    },
    async end() {
      thread.postMessage('end');
      await once(thread, 'exit');
    },
  };
}
