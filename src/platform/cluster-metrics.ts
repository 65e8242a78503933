import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Log } from './log.ts';

// A scrape meets one of several workers, and must not find other figures the next time: whichever
// it is tells those of all.
type Asked = { figuresAsked: number };
type Told = { figuresTold: number; text: string | null };

const isAsked = (message: unknown): message is Asked =>
  typeof message === 'object' && message !== null && 'figuresAsked' in message;
const isTold = (message: unknown): message is Told =>
  typeof message === 'object' && message !== null && 'figuresTold' in message;

/**
 * In a worker: what asks for the figures of all workers. Each series carries its worker, so that
 * none falls when one begins anew.
 */
export function clusterMetricsReader(registry: Registry, worker: number): () => Promise<string> {
  registry.setDefaultLabels({ worker: String(worker) });
  answerScrapes(registry);
  const waiting = new Map<number, (text: string | null) => void>();
  let asked = 0;
  process.on('message', (message) => {
    if (!isTold(message)) return;
    waiting.get(message.figuresTold)?.(message.text);
    waiting.delete(message.figuresTold);
  });
  return async () => {
    asked += 1;
    const number = asked;
    const text = await new Promise<string | null>((resolve) => {
      waiting.set(number, resolve);
      process.send?.({ figuresAsked: number } satisfies Asked);
    });
    if (text === null) throw new Error('not every worker told its figures in time');
    return text;
  };
}

function answerScrapes(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  // Its constructor is what makes this process answer.
  void new AggregatorRegistry();
}

/** In the process that keeps the workers: gathers the figures of all for the one that asks. */
export function serveClusterMetrics(log: Log): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isAsked(message)) return;
    const tell = (text: string | null) => {
      if (worker.isConnected())
        worker.send({ figuresTold: message.figuresAsked, text } satisfies Told);
    };
    all.clusterMetrics().then(tell, (error: unknown) => {
      log.warn({ err: error }, 'the workers did not all tell their figures');
      tell(null);
    });
  });
}
