import { timingSafeEqual } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import { Registry } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import type { Env } from '../platform/env.ts';
import { hashText } from '../platform/hash.ts';
import type { RateLimits } from '../platform/limits.ts';
import { networkOf } from '../platform/network-of.ts';
import type { ClientAddressOf } from './client-address.ts';
import type { RequestHandler } from './request-context.ts';

type ProbeDependencies = {
  env: Pick<Env, 'METRICS_TOKEN'>;
  database: Database;
  scrape: () => Promise<string>;
  isStopping: () => boolean;
  limits: RateLimits;
  clientAddressOf: ClientAddressOf;
};

const wrongTokensPerMinuteMax = 20;

/**
 * The endpoints for orchestrators and Prometheus: liveness, readiness, and metrics behind a token.
 */
export function createProbes({
  env,
  database,
  scrape,
  isStopping,
  limits,
  clientAddressOf,
}: ProbeDependencies): Record<string, RequestHandler> {
  return {
    '/livez': async (_, { headers }) => respond(200, 'alive', headers),
    '/readyz': async (_, { headers }) => {
      const reachable =
        isStopping() ||
        (await database.ping().then(
          () => true,
          () => false,
        ));
      // Shutdown may have started while the database was being checked.
      if (isStopping()) return respond(503, 'stopping', headers);
      return reachable
        ? respond(200, 'ready', headers)
        : respond(503, 'database out of reach', headers);
    },
    '/metrics': async (request, { headers, clientAddress }) => {
      if (!env.METRICS_TOKEN) return respond(404, 'metrics are off', headers);
      const authorizationHash = hashText(request.headers.get('authorization') ?? '');
      if (!timingSafeEqual(authorizationHash, hashText(`Bearer ${env.METRICS_TOKEN}`))) {
        // Only wrong tokens count, so the right token is accepted regardless of other requests from
        // the same network.
        const attempts = await limits.consume(
          `metrics-token:${networkOf(clientAddressOf(request, clientAddress))}`,
          wrongTokensPerMinuteMax,
        );
        if (!attempts.exceeded) return respond(401, 'wrong token', headers);
        return respond(429, 'too many wrong tokens', {
          ...headers,
          'retry-after': String(attempts.retryAfterSeconds),
        });
      }
      return new Response(await scrape(), {
        headers: { ...headers, 'content-type': Registry.PROMETHEUS_CONTENT_TYPE },
      });
    },
  };
}

const respond = (status: number, text: string, headers: Record<string, string>) =>
  new Response(JSON.stringify({ status: text }), {
    status,
    headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
