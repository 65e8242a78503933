import { timingSafeEqual } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import { Registry } from 'prom-client';
import type { ClientAddressOf } from './client-address.ts';
import type { Database } from './database/database.ts';
import type { Env } from './env.ts';
import { hashText } from './hash.ts';
import type { Handler } from './http.ts';
import type { Limits } from './limits.ts';
import { networkOf } from './network-of.ts';

type ProbeParts = {
  env: Pick<Env, 'METRICS_TOKEN'>;
  database: Database;
  scrape: () => Promise<string>;
  isStopping: () => boolean;
  limits: Limits;
  clientAddressOf: ClientAddressOf;
};

const wrongTokensAMinute = 20;

/**
 * The addresses that other programs watch: alive, ready for requests, and the figures behind a
 * token.
 */
export function createProbes({
  env,
  database,
  scrape,
  isStopping,
  limits,
  clientAddressOf,
}: ProbeParts): Record<string, Handler> {
  return {
    '/livez': async (_, { headers }) => state(200, 'alive', headers),
    '/readyz': async (_, { headers }) => {
      const reachable =
        isStopping() ||
        (await database.ping().then(
          () => true,
          () => false,
        ));
      // It may have begun while the database was asked.
      if (isStopping()) return state(503, 'stopping', headers);
      return reachable
        ? state(200, 'ready', headers)
        : state(503, 'database out of reach', headers);
    },
    '/metrics': async (request, { headers, clientAddress }) => {
      if (!env.METRICS_TOKEN) return state(404, 'metrics are off', headers);
      const given = hashText(request.headers.get('authorization') ?? '');
      if (!timingSafeEqual(given, hashText(`Bearer ${env.METRICS_TOKEN}`))) {
        // The right token passes whatever others have sent from the same network.
        const wrong = await limits.take(
          `metrics-token:${networkOf(clientAddressOf(request, clientAddress))}`,
          wrongTokensAMinute,
        );
        if (!wrong.exceeded) return state(401, 'wrong token', headers);
        return state(429, 'too many wrong tokens', {
          ...headers,
          'retry-after': String(wrong.retryAfterSeconds),
        });
      }
      return new Response(await scrape(), {
        headers: { ...headers, 'content-type': Registry.PROMETHEUS_CONTENT_TYPE },
      });
    },
  };
}

const state = (status: number, said: string, headers: Record<string, string>) =>
  new Response(JSON.stringify({ status: said }), {
    status,
    headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
