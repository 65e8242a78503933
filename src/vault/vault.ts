import { join } from 'node:path';
import { createRequestPipeline, type RequestLevel } from '../http/request-pipeline.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { openProcessDirectory } from '../platform/process-directory.ts';
import type { VaultConfig } from './config.ts';
import { createEmbedder } from './embed/embedder.ts';
import { createSandbox } from './extract/sandbox.ts';
import { healthRoutes } from './health/health.ts';
import { countHeartbeats, metricsRoute } from './health/metrics.ts';
import { startHeartbeat } from './heartbeat.ts';
import { documentRoutes } from './ingest/document-routes.ts';
import { openWorkDirectory } from './ingest/work-directory.ts';
import { createMonitoring } from './monitoring/monitoring.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRouteHandler } from './route.ts';
import { startReEmbedding } from './search/re-embed.ts';
import { searchRoutes } from './search/search-routes.ts';
import { createVectorDbClient } from './vector-db/client.ts';

type VaultDependencies = {
  config: VaultConfig;
  vectorDbUrl: string;
  /** The directory for the files that the vault writes itself. */
  dataDirectory: string;
  log: Log;
  /** Receives one line per request; default: `log`. */
  webLog?: Log;
  requestLevel?: RequestLevel | undefined;
  clock: Clock;
  /** The largest accepted file; default: 150 MB. */
  documentBytesMax?: number;
};

/** Creates the vault as a request handler and a listener, without opening a port. */
export async function createVault({
  config,
  vectorDbUrl,
  dataDirectory,
  log,
  webLog = log,
  requestLevel,
  clock,
  documentBytesMax,
}: VaultDependencies) {
  const metrics = createMetrics();
  const rateLimit = createRateLimit(config.rateLimit.requestsPerMinute);
  // This comes before monitoring, which cannot measure the disk of a directory that does not exist.
  const workDirectory = await openWorkDirectory(
    join(dataDirectory, 'vault-work'),
    documentBytesMax,
  );
  const dataPaths = [
    dataDirectory,
    ...(config.vectorDb.location.includes('://') ? [] : [config.vectorDb.location]),
  ];
  const monitoring = createMonitoring({
    settings: config.logging,
    vectorDbUrl,
    vectorDbSecret: config.secret,
    dataPaths,
    clock,
    log,
  });
  const { heartbeatUrl, heartbeatIntervalMinutes } = config.logging;
  const heartbeat =
    heartbeatUrl && heartbeatIntervalMinutes > 0
      ? startHeartbeat({
          url: heartbeatUrl,
          intervalMs: heartbeatIntervalMinutes * 60_000,
          isHealthy: monitoring.isHealthy,
          onOutcome: countHeartbeats(metrics.registry),
          log,
        })
      : undefined;

  const readersDirectory = await openProcessDirectory(join(dataDirectory, 'vault-readers'));
  const sandbox = createSandbox({
    directory: readersDirectory.path,
    heapMegabytesMax: config.extraction.memoryMb,
    processorSecondsMax: 2 * (config.extraction.timeSeconds + config.extraction.ocrSeconds) + 60,
  });
  const vectorDb = createVectorDbClient({ url: vectorDbUrl, secret: config.secret });
  const embedder = await createEmbedder(config.embeddings, { log });
  const reEmbedding = startReEmbedding({ vectorDb, embedder, log });

  const routes = [
    ...healthRoutes({ monitoring, rateLimit, reEmbedding, clock }),
    metricsRoute({ metrics, monitoring, reEmbedding }),
    ...documentRoutes({
      vectorDb,
      embedder,
      workDirectory,
      extraction: config.extraction,
      sandbox,
      log,
    }),
    ...searchRoutes({ vectorDb, embedder, rerank: config.rerank, log }),
  ];
  const handle = createRouteHandler(routes, {
    access: { secret: config.secret, audience: 'vault' },
    countCall: rateLimit.count,
    log,
  });

  let isStopping = false;
  const frontDoor = createRequestPipeline({
    handlerFor: () => handle,
    origins: [],
    isStopping: () => isStopping,
    metrics,
    log: webLog,
    requestLevel,
  });

  return {
    fetch: frontDoor.fetch,
    listener: frontDoor.listener,
    /** Stops heartbeats and closes each connection after its current answer. */
    stop() {
      isStopping = true;
      heartbeat?.close();
    },
    async close() {
      heartbeat?.close();
      monitoring.close();
      await reEmbedding.close();
      sandbox.close();
      await readersDirectory.close();
      await workDirectory.close();
    },
  };
}
