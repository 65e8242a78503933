import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The metrics of the process, collected once: their observers have no end, so one for each app
 * would keep every closed app in memory.
 */
let processMetrics: Registry | undefined;

function registerProcessMetrics(registry: Registry): void {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  for (const { name } of processMetrics.getMetricsAsArray()) {
    const metric = processMetrics.getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
}

export function createMetrics() {
  const registry = new Registry();
  registerProcessMetrics(registry);
  return {
    registry,
    requests: new Counter({
      name: 'atrium_http_requests_total',
      help: 'Answered requests by operation and status.',
      labelNames: ['operation', 'status'] as const,
      registers: [registry],
    }),
    duration: new Histogram({
      name: 'atrium_http_request_duration_seconds',
      help: 'Time from the request to the answer.',
      labelNames: ['operation'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    limited: new Counter({
      name: 'atrium_rate_limited_total',
      help: 'Requests refused because a rate limit was reached.',
      labelNames: ['kind'] as const,
      registers: [registry],
    }),
    untrustedDocuments: new Counter({
      name: 'atrium_graphql_untrusted_documents_total',
      help: 'GraphQL documents that are not trusted, of callers who should send trusted ones.',
      labelNames: ['kind'] as const,
      registers: [registry],
    }),
    inFlight: new Gauge({
      name: 'atrium_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers: [registry],
    }),
    liveStreams: new Gauge({
      name: 'atrium_graphql_live_streams',
      help: 'Open streams of live queries.',
      registers: [registry],
    }),
    liveExecutions: new Counter({
      name: 'atrium_graphql_live_executions_total',
      help: 'Executions of live queries, each for all streams of equal queries of a caller.',
      registers: [registry],
    }),
  };
}
