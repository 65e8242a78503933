import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { createFrontDoor } from '../../platform/front-door.ts';
import type { Handler } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { jsonAnswer, refusalAnswer } from '../answer.ts';
import { usualCacheMb } from '../config.ts';
import { createRouteTable, paramsOf, type Route } from '../route.ts';
import { requireSecret } from '../secret.ts';
import { vectorDbCalls } from './calls.ts';
import { storageFault } from './storage-fault.ts';
import { openStore, type Store, type Thresholds } from './store.ts';

const usualThresholds = { freshPassagesMax: 4_000, vectorIndexRowsMin: 20_000 };

type VectorDbParts = {
  /** A directory, or an address like s3://bucket/prefix. */
  location: string;
  storageOptions?: Record<string, string>;
  /** Memory for what was read, in MiB. */
  cacheMb?: number;
  secret: string;
  thresholds?: Thresholds;
  log: Log;
  clock?: Clock;
};

/** The vector database behind its own front door, without a port. */
export async function openVectorDb({
  location,
  storageOptions = {},
  cacheMb = usualCacheMb,
  secret,
  thresholds = usualThresholds,
  log,
  clock = systemClock,
}: VectorDbParts) {
  const store = await openStore({ location, storageOptions, cacheMb, thresholds, clock, log });
  const table = createRouteTable([...watchRoutes(store), ...vectorDbCalls(store)]);
  let stopping = false;
  const handle: Handler = async (request, requestContext) => {
    try {
      const fitting = table.at(requestContext.pathname);
      if (!fitting.some(({ access }) => access === 'anybody')) requireSecret(request, secret);
      const route = table.pick(fitting, requestContext);
      requestContext.operation = route.operation;
      return await route.answer(request, requestContext, paramsOf(route, requestContext.pathname));
    } catch (error) {
      return refusalAnswer(storageFault(error, log), request, requestContext, log);
    }
  };
  const door = createFrontDoor({
    handlerFor: () => handle,
    origins: [],
    isStopping: () => stopping,
    metrics: createMetrics(),
    log,
  });
  return {
    fetch: door.fetch,
    listener: door.listener,
    /** From now on connections end with their answer. */
    stop() {
      stopping = true;
    },
    close: store.close,
    /** When the rows and files of what is deleted by now are gone. */
    settled: store.settled,
  };
}

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

const watchRoutes = (store: Store): Route[] => [
  {
    method: 'GET',
    path: '/v1/.well-known/ready',
    operation: 'ready',
    access: 'anybody',
    answer: async (_, { headers }) => {
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
    access: 'anybody',
    answer: (_, { headers }) => {
      const shelves = [...store.collections.values()].flatMap((collection) => [
        ...collection.shelves.values(),
      ]);
      const documentCount = shelves.reduce((count, { documents }) => count + documents, 0);
      const objectCount = shelves.reduce((count, { passages }) => count + passages, 0);
      const counts = { documentCount, objectCount, collections: store.collections.size };
      return jsonAnswer(200, { hostname: hostname(), version, modules: {}, ...counts }, headers);
    },
  },
];
