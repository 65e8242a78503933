import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export type Watch = Awaited<ReturnType<typeof watchAnswers>>;

type Figures = { worstMs: number; count: number; failures: number };

export const watchLivez = (origin: string) => watchAnswers(`${origin}/livez`);

/** Watches how late an address answers. */
export async function watchAnswers(address: string, headers: Record<string, string> = {}) {
  const thread = new Worker(new URL('./livez-probes.ts', import.meta.url), {
    workerData: { address, headers },
  });
  const read = async (): Promise<Figures> => {
    thread.postMessage('worst');
    const [figures] = await once(thread, 'message');
    return figures;
  };
  await read();
  return {
    /** The latest answer while this work lasts. */
    async during(work: () => Promise<unknown>): Promise<number> {
      await read();
      await work();
      return (await read()).worstMs;
    },
    /** The latest answer while nothing else is asked: what the machine itself does. */
    async quiet(ms: number): Promise<number> {
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
