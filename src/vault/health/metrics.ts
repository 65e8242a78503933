import { Response } from '@whatwg-node/fetch';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Metrics } from '../../platform/metrics.ts';
import type { HeartbeatOutcome } from '../heartbeat.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { VaultRoute } from '../route.ts';
import type { ReEmbedding } from '../search/re-embed.ts';

type MetricsDependencies = {
  metrics: Metrics;
  monitoring: Monitoring;
  reEmbedding: Pick<ReEmbedding, 'progress'>;
};

/** `/metrics` for Prometheus: requests, this process, and the latest samples of monitoring. */
export function metricsRoute({
  metrics: { registry },
  monitoring,
  reEmbedding,
}: MetricsDependencies): VaultRoute {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `atrium_vault_${name}`, help, labelNames, registers: [registry] });
  const cpu = gauge('cpu_usage_percent', 'Use of the processors that are granted.');
  const memoryTotal = gauge('memory_total_bytes', 'Memory that is granted.');
  const memoryUsed = gauge('memory_used_bytes', 'Memory in use.');
  const storageTotal = gauge('storage_total_bytes', 'Size of a disk that holds data.', ['path']);
  const storageFree = gauge('storage_free_bytes', 'Free bytes on a disk that holds data.', [
    'path',
  ]);
  const documents = gauge('documents', 'Documents in the vector database.');
  const reachable = gauge('vector_db_up', 'Whether the vector database answers.');
  const reembeddingDone = gauge(
    'reembedding_done',
    'Documents moved to the embedding of today since the start.',
  );
  const reembeddingTotal = gauge('reembedding_total', 'Documents that were to be moved to it.');

  return {
    method: 'GET',
    path: '/metrics',
    operation: 'vaultMetrics',
    access: 'monitoring',
    answer: async (_, { headers }) => {
      const [{ status }, { measurements }] = await Promise.all([
        monitoring.vectorDb(),
        monitoring.measurements(),
      ]);
      reachable.set(status === 'healthy' ? 1 : 0);
      // Values that are not sampled are NaN, because 0 would be a measurement.
      cpu.set(measurements.cpu?.usagePercent ?? Number.NaN);
      memoryTotal.set(measurements.memory?.totalBytes ?? Number.NaN);
      memoryUsed.set(measurements.memory?.usedBytes ?? Number.NaN);
      for (const { path, totalBytes, freeBytes } of measurements.storage ?? []) {
        storageTotal.set({ path }, totalBytes);
        storageFree.set({ path }, freeBytes);
      }
      documents.set(measurements.database?.documentCount ?? Number.NaN);
      const { done, total } = reEmbedding.progress();
      reembeddingDone.set(done);
      reembeddingTotal.set(total);
      return new Response(await registry.metrics(), {
        headers: { ...headers, 'content-type': registry.contentType },
      });
    },
  };
}

/** Counts heartbeats by outcome. */
export function countHeartbeats(registry: Registry): (outcome: HeartbeatOutcome) => void {
  const heartbeats = new Counter({
    name: 'atrium_vault_heartbeats_total',
    help: 'Heartbeats by whether they arrived, were lost, or withheld because the vault was not healthy.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of ['arrived', 'lost', 'withheld'] satisfies HeartbeatOutcome[])
    heartbeats.inc({ outcome }, 0);
  return (outcome) => heartbeats.inc({ outcome });
}
