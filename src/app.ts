import { randomUUID } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
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
import { createProbes } from './platform/probes.ts';
import { createRestHandler } from './rest/handler.ts';
import { createRouter } from './rest/router.ts';
import { areas } from './rest/routes.ts';
import { schema } from './schema.ts';

type AppParts = { env: Env; database: Database; log: Log; clock?: Clock };

export type App = Awaited<ReturnType<typeof createApp>>;

/** Puts the parts together: everything behind the front door, without a port. */
export async function createApp({ env, database, log, clock = systemClock }: AppParts) {
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

  let stopping = false;
  const pages: Record<string, Handler> = { '/graphql': graph, ...createProbes({ env, database, metrics, isStopping: () => stopping }) };
  const handlerFor = (pathname: string): Handler => (pathname === '/api' || pathname.startsWith('/api/') ? rest : (pages[pathname] ?? nothing));

  const adapter = createServerAdapter(async (request: Request) => {
    const startedAt = performance.now();
    const url = new URL(request.url);
    const visit: Visit = { requestId: randomUUID(), method: request.method, url, headers: {}, operation: 'none' };
    visit.headers['x-request-id'] = visit.requestId;
    if (stopping) visit.headers['connection'] = 'close';
    const response = await handlerFor(url.pathname)(request, visit);
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.requests.inc({ operation: visit.operation, status: response.status });
    metrics.duration.observe({ operation: visit.operation }, seconds);
    log.info(
      { requestId: visit.requestId, method: visit.method, operation: visit.operation, status: response.status, ms: Math.round(seconds * 1e5) / 100 },
      'answered',
    );
    return response;
  });

  return {
    fetch: adapter.fetch,
    listener: adapter.requestListener,
    /** From now on not ready, and connections end with their answer. */
    stop() {
      stopping = true;
    },
    async close() {
      await limits.close();
    },
  };
}

const nothing: Handler = async (_, { headers }) =>
  new Response('There is nothing here\n', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } });
