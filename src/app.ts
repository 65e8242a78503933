import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdmission, type RequestSender } from './access/admission.ts';
import { createConsole } from './console/serve.ts';
import { createServices } from './create-services.ts';
import { createDryRun } from './dry-run.ts';
import { createExecutor } from './graph/execute/execute.ts';
import { createGraphHandler } from './graph/handler.ts';
import { createLiveQueries } from './graph/live/live-queries.ts';
import { toSubgraph } from './graph/schema/federation.ts';
import { loadTrustedDocuments } from './graph/trusted/trusted-documents.ts';
import { createUsageCounter } from './graph/usage/count-usage.ts';
import { createByteBudget } from './http/byte-budget.ts';
import { createClientAddress } from './http/client-address.ts';
import { parseOrigins } from './http/cors.ts';
import { createMounts } from './http/mounts.ts';
import { createProbes } from './http/probes.ts';
import type { RequestHandler } from './http/request-context.ts';
import { createRequestPipeline } from './http/request-pipeline.ts';
import { createRouter } from './http/router.ts';
import { liveSourceOf } from './live-sources.ts';
import { createAuth } from './modules/accounts/auth.ts';
import { createAuthHandler } from './modules/accounts/auth-handler.ts';
import { readAuthSecret } from './modules/accounts/auth-secret.ts';
import {
  createIdentifySession,
  organizationHeader,
} from './modules/accounts/sessions/identify-session.ts';
import { createSetupPage } from './modules/accounts/setup/setup-page.ts';
import type { FileVault } from './modules/assistant-files/file-services.ts';
import { createKeySetHandler, keySetPath } from './modules/runs/receipts/serve-key-set.ts';
import { createLogoHandler, logosPath } from './modules/sponsorship/branding/serve-logo.ts';
import {
  createShortLinkHandler,
  shortLinksPath,
} from './modules/sponsorship/links/serve-short-link.ts';
import type { TenantVault } from './modules/vault/tenant-vault.ts';
import type { MonitoredVault } from './modules/vault/vault-access.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { clusterMetricsReader } from './platform/cluster-metrics.ts';
import type { Database } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';
import { AppError } from './platform/errors.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { ownFilesDirectory } from './platform/own-files-directory.ts';
import { openProcessDirectory } from './platform/process-directory.ts';
import { backgroundWorkEnded } from './platform/run-in-background.ts';
import { createTenantPacer } from './platform/tenant-pacer.ts';
import { version } from './platform/version.ts';
import { createRestHandler } from './rest/handler.ts';
import { loadRoutes } from './rest/load-routes.ts';
import { createOpenAiHandler } from './rest/openai/openai-handler.ts';
import { openApiDocument } from './rest/openapi.ts';
import { createReferenceHandler } from './rest/reference.ts';
import { createRequestBodies } from './rest/request-bodies.ts';
import { areas } from './rest/routes.ts';
import { createSessionFiles } from './rest/session-files.ts';
import { schema } from './schema.ts';

type AppDependencies = {
  env: Env;
  database: Database;
  log: Log;
  clock?: Clock;
  vault?: FileVault & TenantVault & MonitoredVault;
  worker?: number;
};

/** Wires the application together: everything that handles a request, without a port. */
export async function createApp({
  env,
  database,
  log,
  clock = systemClock,
  vault: configuredVault,
  worker,
}: AppDependencies) {
  // First, because a document that is invalid ends the start.
  const executor = createExecutor(env.FEDERATION ? toSubgraph(schema) : schema);
  const trusted = loadTrustedDocuments({
    consoleFile: fileURLToPath(new URL('./console/trusted-documents.json', import.meta.url)),
    path: env.GRAPHQL_DOCUMENTS,
    executor,
    introspection: env.INTROSPECTION,
  });
  const usage = createUsageCounter({ schema: executor.schema, trusted, database, log });
  const metrics = createMetrics();
  const scrape =
    worker === undefined
      ? () => metrics.registry.metrics()
      : clusterMetricsReader(metrics.registry, worker);
  const secret = readAuthSecret(env);
  const pacer = createTenantPacer();
  const created = await createServices({
    ...{ env, database, log, clock, worker, secret, pacer },
    vault: configuredVault ?? null,
    registry: metrics.registry,
  });
  const { services, keyCache, background, closeServices } = created;
  const { limits, receiptKeys, signInOptions } = services;

  let address: string | undefined;
  const originOf = (request: Request) => env.ORIGIN ?? address ?? new URL(request.url).origin;
  const auth = createAuth({
    ...{ env, secret, database, clock, log, limits, originOf },
    mail: services.mail,
    secretCipher: services.secretCipher,
    options: signInOptions,
    credentialsChanged: keyCache.forget,
  });
  const identifySession = createIdentifySession({ auth, database, clock });

  const identifyKey = async (request: Request, sender: RequestSender) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return null;
    const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (key === undefined) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
    return keyCache.identify(key, sender);
  };
  const clientAddressOf = createClientAddress(env.TRUSTED_PROXIES, log);
  const admission = { env, metrics, originOf, clientAddressOf, services, pacer };
  // REST is for programs, so it ignores cookies.
  const admitKey = createAdmission({ ...admission, identify: identifyKey });
  const admitAnybody = createAdmission({
    ...admission,
    identify: async (request, sender) =>
      (await identifyKey(request, sender)) ?? identifySession(request),
  });
  const megabyte = 1_048_576;
  const budget = createByteBudget({
    bytesMax: env.REQUEST_MEGABYTES * megabyte,
    ownerBytesMax: env.REQUEST_MEGABYTES_PER_PERSON * megabyte,
  });
  const requestFiles = await openProcessDirectory(join(ownFilesDirectory(env), 'request-files'));
  const liveQueries = createLiveQueries({
    watchChanges: services.events.notices.watch,
    metrics,
    log,
  });
  const routes = loadRoutes(executor, areas);
  const router = createRouter(routes);
  const bodies = createRequestBodies({ budget, directory: requestFiles });

  let stopping = false;
  const isStopping = () => stopping;
  const handlersByPath: Record<string, RequestHandler> = {
    ...createProbes({ env, database, scrape, isStopping, limits, clientAddressOf }),
    [keySetPath]: createKeySetHandler(receiptKeys, log),
  };
  const consolePages = createConsole({
    directory: fileURLToPath(new URL('./console/generated/app/', import.meta.url)),
  });
  const reference = createReferenceHandler({
    document: openApiDocument({ schema, routes, version }),
    origin: () => env.ORIGIN ?? address,
    admit: admitKey,
    log,
  });
  const handlerAt = createMounts({
    '/api': createRestHandler({
      router,
      admit: admitKey,
      bodies,
      dryRun: createDryRun({ vault: services.files.vault }),
      secret,
      log,
    }),
    '/api/docs': reference,
    '/api/openapi.json': reference,
    '/api/openapi.yaml': reference,
    '/api/openai/v1': createOpenAiHandler({
      executor,
      router,
      admit: admitKey,
      bodies,
      clock,
      log,
    }),
    '/graphql': createGraphHandler({
      usage,
      executor,
      trusted,
      metrics,
      admit: admitAnybody,
      budget,
      liveQueries,
      sourceOf: liveSourceOf,
      secret,
      env,
      log,
    }),
    '/files': createSessionFiles({ router, admit: admitAnybody, organizationHeader, log }),
    [logosPath]: createLogoHandler(database, log),
    [shortLinksPath]: createShortLinkHandler({
      ...{ database, limits, clientAddressOf, log },
      page: consolePages.serve,
    }),
    '/auth': createAuthHandler({ auth, options: signInOptions, env, clientAddressOf, log }),
    '/setup': createSetupPage({ database, clock, page: consolePages.serve }),
  });
  // Some paths below /auth/ are pages of the console; better-auth serves the others.
  const handlerFor = (pathname: string) =>
    consolePages.serves(pathname)
      ? consolePages.handler
      : (handlersByPath[pathname] ?? handlerAt(pathname) ?? consolePages.notFound);
  const pipeline = createRequestPipeline({
    handlerFor,
    origins: parseOrigins(env.CORS_ORIGINS),
    isHttps: env.ORIGIN?.startsWith('https:') === true,
    isStopping,
    compresses: true,
    metrics,
    log,
  });

  return {
    fetch: pipeline.fetch,
    listener: pipeline.listener,
    services,
    /** Sets the address on which the server listens. It is the origin if ORIGIN is not set. */
    listensAt(origin: string) {
      address = origin;
    },
    /** Stores which parts of the GraphQL schema were used; a timer and `close` do so as well. */
    storeUsage: usage.store,
    /**
     * Starts to execute durable runs, to deliver webhooks, to delete old conversations, to announce
     * dates and to process files in this process. Files need a vault.
     */
    startProcessing: background.start,
    /** Resolves when that work has ended. */
    stopProcessing: background.stop,
    /**
     * Reports "not ready", stops the processing of files, durable runs and webhooks, ends live
     * queries, and closes each connection after its response.
     */
    stop() {
      stopping = true;
      liveQueries.close();
      void background.stop();
    },
    async close() {
      liveQueries.close();
      await background.stop();
      await pipeline.settled();
      await usage.close();
      await requestFiles.close();
      await backgroundWorkEnded();
      await closeServices();
    },
  };
}
