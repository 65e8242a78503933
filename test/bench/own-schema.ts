import { randomUUID } from 'node:crypto';
import { Request } from '@whatwg-node/fetch';
import { createAdmission } from '../../src/access/admission.ts';
import type { Context } from '../../src/access/context.ts';
import { createApp } from '../../src/app.ts';
import { builder } from '../../src/graph/schema/builder.ts';
import { createKeyCache } from '../../src/modules/api-keys/identify-key.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createTenantPacer } from '../../src/platform/tenant-pacer.ts';
import '../../src/schema.ts';

/**
 * Our schema and our database for another GraphQL server, with the same keys and limits in its
 * context, but without limits for queries, error masking and log lines.
 */
export async function openOwnSchema() {
  const env = readEnv();
  const log = createLog(env);
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    poolSize: env.DATABASE_POOL,
    log,
  });
  const { services } = await createApp({ env, database, log });
  const keyCache = createKeyCache({ database, clock: systemClock, log, limits: services.limits });
  const admit = createAdmission({
    pacer: createTenantPacer(),
    identify: async (request, sender) =>
      keyCache.identify(
        request.headers.get('authorization')?.slice('Bearer '.length) ?? '',
        sender,
      ),
    ...{
      env,
      metrics: createMetrics(),
      services,
      originOf: () => 'http://127.0.0.1',
      clientAddressOf: () => undefined,
    },
  });
  return {
    env,
    // The schema as Pothos builds it. Removing the resolvers of exposed fields is an optimization
    // of ours.
    schema: builder.toSchema(),
    contextFor: (authorization: string): Promise<Context> =>
      admit(new Request('http://127.0.0.1/graphql', { headers: { authorization } }), {
        requestId: randomUUID(),
        headers: {},
      }),
  };
}
