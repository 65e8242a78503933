import { hostname } from 'node:os';
import { createRequestPipeline, type RequestLevel } from '../../http/request-pipeline.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { version } from '../../platform/version.ts';
import { jsonAnswer } from '../answer.ts';
import { defaultCacheMb } from '../config-sections.ts';
import { createRouteHandler, type VaultRoute } from '../route.ts';
import { requireSecret } from '../secret.ts';
import type { VaultAccess } from '../signature.ts';
import { openPassageStore } from './open-passage-store.ts';
import type { PassageStore, PassageStoreOptions } from './passage-store.ts';
import { vectorDbRoutes } from './routes.ts';
import { storageFault } from './storage-fault.ts';

type VectorDbOptions = {
  /** A directory, or an address such as s3://bucket/prefix or postgres://user@host/database. */
  location: string;
  storageOptions?: Record<string, string>;
  engine?: PassageStoreOptions['engine'];
  thresholds?: PassageStoreOptions['thresholds'];
  ownershipWaitMs?: PassageStoreOptions['ownershipWaitMs'];
  waitsForServer?: PassageStoreOptions['waitsForServer'];
  /** The size of the read cache in MiB. */
  cacheMb?: number;
  secret: string;
  log: Log;
  requestLevel?: RequestLevel | undefined;
  clock?: Clock;
};

/** Opens the vector database as a request handler and a listener, without opening a port. */
export async function openVectorDb({
  location,
  storageOptions = {},
  engine,
  thresholds,
  ownershipWaitMs,
  waitsForServer,
  cacheMb = defaultCacheMb,
  secret,
  log,
  requestLevel,
  clock = systemClock,
}: VectorDbOptions) {
  const store = await openPassageStore({
    location,
    storageOptions,
    engine,
    thresholds,
    ownershipWaitMs,
    waitsForServer,
    cacheMb,
    clock,
    log,
  });
  const access: VaultAccess = { secret, audience: 'vector-db' };
  const handle = createRouteHandler(
    [...monitoringRoutes(store, access), ...vectorDbRoutes(store)],
    {
      access,
      translateError: (error) => storageFault(error, log),
      log,
    },
  );
  let isStopping = false;
  const frontDoor = createRequestPipeline({
    handlerFor: () => handle,
    origins: [],
    isStopping: () => isStopping,
    metrics: createMetrics(),
    log,
    requestLevel,
  });
  return {
    fetch: frontDoor.fetch,
    listener: frontDoor.listener,
    /** Closes each connection after its current answer. */
    stop() {
      isStopping = true;
    },
    close: store.close,
    /** Resolves when the rows and files of everything deleted so far are gone. */
    settled: store.settled,
  };
}

/** Anybody may ask. A secret that is sent must be right, so that a vault notices a wrong one. */
const monitoringRoutes = (store: PassageStore, access: VaultAccess): VaultRoute[] => [
  {
    method: 'GET',
    path: '/v1/.well-known/ready',
    operation: 'ready',
    access: 'public',
    answer: async (request, { headers }) => {
      requireRightSecret(request, access);
      const reachable = await store.ping().then(
        () => true,
        () => false,
      );
      return jsonAnswer(
        reachable ? 200 : 503,
        { status: reachable ? 'healthy' : 'unhealthy' },
        headers,
      );
    },
  },
  {
    method: 'GET',
    path: '/v1/meta',
    operation: 'meta',
    access: 'public',
    answer: (request, { headers }) => {
      requireRightSecret(request, access);
      const partitions = [...store.collections.values()].flatMap((collection) => [
        ...collection.partitions.values(),
      ]);
      const documentCount = partitions.reduce((count, { documents }) => count + documents, 0);
      const objectCount = partitions.reduce((count, { passages }) => count + passages, 0);
      const counts = { documentCount, objectCount, collections: store.collections.size };
      return jsonAnswer(200, { hostname: hostname(), version, modules: {}, ...counts }, headers);
    },
  },
];

function requireRightSecret(request: Request, access: VaultAccess): void {
  if (request.headers.has('authorization')) requireSecret(request, access);
}
