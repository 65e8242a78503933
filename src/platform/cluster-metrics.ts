import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Log } from './log.ts';

// A scrape reaches one of several workers. Every worker answers with the metrics of aggregator workers, so
// that consecutive scrapes agree. These are the messages between workers and primary process.
type MetricsRequest = { metricsRequestId: number };
type MetricsReply = { metricsReplyTo: number; text: string | null };

const isMetricsRequest = (message: unknown): message is MetricsRequest =>
  typeof message === 'object' && message !== null && 'metricsRequestId' in message;
const isMetricsReply = (message: unknown): message is MetricsReply =>
  typeof message === 'object' && message !== null && 'metricsReplyTo' in message;

/**
 * For a worker: returns a function that reads the metrics of aggregator workers. Each series has a
 * `worker` label, so that no counter decreases when another worker restarts.
 */
export function clusterMetricsReader(registry: Registry, worker: number): () => Promise<string> {
  registry.setDefaultLabels({ worker: String(worker) });
  answerScrapes(registry);
  const waiting = new Map<number, (text: string | null) => void>();
  let lastRequestId = 0;
  process.on('message', (message) => {
    if (!isMetricsReply(message)) return;
    waiting.get(message.metricsReplyTo)?.(message.text);
    waiting.delete(message.metricsReplyTo);
  });
  return async () => {
    lastRequestId += 1;
    const requestId = lastRequestId;
    const text = await new Promise<string | null>((resolve) => {
      waiting.set(requestId, resolve);
      process.send?.({ metricsRequestId: requestId } satisfies MetricsRequest);
    });
    if (text === null) throw new Error('not every worker reported its metrics in time');
    return text;
  };
}

function answerScrapes(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  // The constructor registers the message listener that makes this process answer scrapes.
  void new AggregatorRegistry();
}

/**
 * For the primary process: collects the metrics of aggregator workers and sends them to the worker that
 * asked.
 */
export function serveClusterMetrics(log: Log): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isMetricsRequest(message)) return;
    const reply = (text: string | null) => {
      if (worker.isConnected())
        worker.send({ metricsReplyTo: message.metricsRequestId, text } satisfies MetricsReply);
    };
    aggregator.clusterMetrics().then(reply, (error: unknown) => {
      log.warn({ err: error }, 'not every worker reported its metrics');
      reply(null);
    });
  });
}
