import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { createAdmission } from './graph/admission.ts';
import { createGraphHandler } from './graph/handler.ts';
import { createAuth } from './modules/accounts/auth.ts';
import { createAuthHandler } from './modules/accounts/auth-handler.ts';
import { readAuthSecret } from './modules/accounts/auth-secret.ts';
import { createSessions } from './modules/accounts/identify-session.ts';
import { createSetupPage } from './modules/accounts/setup-page/setup-page.ts';
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
  const limits = await createLimits({ redisUrl: env.REDIS_URL, log });
  const keyring = createKeyring({ database, clock, log });

  const auth = createAuth({ env, secret: readAuthSecret(env), database, limits, clock, log });
  const identifySession = createSessions({ auth, database, clock });

  const identifyKey = async (request: Request) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return null;
    const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (key === undefined) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
    return keyring.identify(key);
  };
  const admission = { limits, env, database, clock, log, metrics, credentialsChanged: keyring.forget };
  // REST is for programs: it does not look at cookies.
  const admitKey = createAdmission({ ...admission, identify: identifyKey });
  const admitAnybody = createAdmission({ ...admission, identify: async (request) => (await identifyKey(request)) ?? identifySession(request) });
  const router = createRouter(schema, areas);
  const rest = createRestHandler({ router, admit: admitKey, log });
  const graph = createGraphHandler({ schema, admit: admitAnybody, env, log });

  let stopping = false;
  const pages: Record<string, Handler> = { '/graphql': graph, ...createProbes({ env, database, metrics, isStopping: () => stopping }) };
  const setupPage = createSetupPage({ database, clock });
  const folders: Record<string, Handler> = { api: rest, auth: createAuthHandler({ auth, env, log }), setup: setupPage };
  // The page /auth is the console's; better-auth serves what is below it.
  const handlerFor = (pathname: string): Handler => {
    const folder = pathname.split('/', 2)[1] ?? '';
    return pages[pathname] ?? (pathname !== '/auth' && Object.hasOwn(folders, folder) ? folders[folder] : undefined) ?? nothing;
  };

  const adapter = createServerAdapter<{ req?: IncomingMessage }>(async (request, { req }) => {
    const startedAt = performance.now();
    const url = new URL(request.url);
    const visit: Visit = { requestId: randomUUID(), method: request.method, url, headers: {}, operation: 'none', clientAddress: req?.socket.remoteAddress };
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
