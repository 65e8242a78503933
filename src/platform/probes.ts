import { timingSafeEqual } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import { Registry } from 'prom-client';
import type { Database } from './database/database.ts';
import type { Env } from './env.ts';
import { hashText } from './hash.ts';
import type { Handler } from './http.ts';

type ProbeParts = { env: Pick<Env, 'METRICS_TOKEN'>; database: Database; scrape: () => Promise<string>; isStopping: () => boolean };

/** The addresses that other programs watch: alive, ready for requests, and the figures behind a token. */
export function createProbes({ env, database, scrape, isStopping }: ProbeParts): Record<string, Handler> {
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
      return reachable ? state(200, 'ready', headers) : state(503, 'database out of reach', headers);
    },
    '/metrics': async (request, { headers }) => {
      if (!env.METRICS_TOKEN) return state(404, 'metrics are off', headers);
      const given = hashText(request.headers.get('authorization') ?? '');
      if (!timingSafeEqual(given, hashText(`Bearer ${env.METRICS_TOKEN}`))) return state(401, 'wrong token', headers);
      return new Response(await scrape(), { headers: { ...headers, 'content-type': Registry.PROMETHEUS_CONTENT_TYPE } });
    },
  };
}

const state = (status: number, said: string, headers: Record<string, string>) =>
  new Response(JSON.stringify({ status: said }), { status, headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' } });
