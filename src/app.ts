import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { randomUUID } from 'node:crypto';
import { createAdmission } from './graph/admission.ts';
import { createGraphHandler } from './graph/handler.ts';
import { createKeyring } from './modules/api-keys/identify-key.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';
import { AppError } from './platform/errors.ts';
import type { Handler, Visit } from './platform/http.ts';
import { createLimits } from './platform/limits.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { createRestHandler } from './rest/handler.ts';
import { createRouter } from './rest/router.ts';
import { areas } from './rest/routes.ts';
import { schema } from './schema.ts';

type AppParts = { env: Env; database: Database; log: Log; clock?: Clock };

export type App = Awaited<ReturnType<typeof createApp>>;

/** Puts the parts together: everything behind the front door, without a port. */
export function createApp({ env, database, log, clock = systemClock }: AppParts) {
  const metrics = createMetrics();
  const limits = createLimits({ redisUrl: env.REDIS_URL, log });
  const keyring = createKeyring({ database, clock, log });

  const identify = async (request: Request) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return null;
    const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (key === undefined) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
    return keyring.identify(key);
  };
  const admit = createAdmission({ identify, limits, env, database, clock, log, metrics, credentialsChanged: keyring.forget });
  const router = createRouter(schema, areas);
  const rest = createRestHandler({ router, admit, log });
  const graph = createGraphHandler({ schema, admit, env, log });

  const handlerFor = (pathname: string): Handler | undefined => {
    if (pathname.startsWith('/api/')) return rest;
    if (pathname === '/graphql') return graph;
    return undefined;
  };

  const adapter = createServerAdapter(async (request: Request) => {
    const startedAt = performance.now();
    const url = new URL(request.url);
    const visit: Visit = { requestId: randomUUID(), method: request.method, url, headers: {}, operation: 'none' };
    visit.headers['x-request-id'] = visit.requestId;
    const handler = handlerFor(url.pathname);
    const response = handler ? await handler(request, visit) : new Response(null, { status: 404, headers: visit.headers });
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.requests.inc({ operation: visit.operation, status: response.status });
    metrics.duration.observe({ operation: visit.operation }, seconds);
    log.info({ requestId: visit.requestId, method: visit.method, operation: visit.operation, status: response.status, ms: Math.round(seconds * 1e5) / 100 }, 'answered');
    return response;
  });

  return {
    fetch: adapter.fetch,
    listener: adapter.requestListener,
    async close() {
      await limits.close();
    },
  };
}
