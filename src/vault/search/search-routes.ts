import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { clientAbort } from '../client-abort.ts';
import type { Embedder } from '../embed/embedding.ts';
import { isDots, nameExpectation, nameForm } from '../names.ts';
import { jsonRoute, type VaultRoute } from '../route.ts';
import { readSignedJson } from '../signature.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { formatIssues } from '../vector-db/vector.ts';
import { createReranker, type RerankSettings } from './rerank.ts';
import { search } from './search.ts';

const name = z
  .string()
  .regex(nameForm, nameExpectation)
  .refine((text) => !isDots(text), 'must not be dots alone');
const input = z.object({
  collection: name,
  query: z
    .string()
    .refine((text) => !text.includes('\0'), 'must not hold NUL')
    .transform((text) => text.trim())
    .pipe(z.string().min(1).max(4_000)),
  limit: z.int().min(1).max(50).default(10),
  offset: z.int().min(0).max(1_000).default(0),
  documents: z.array(name).max(1_000).optional(),
  mode: z.enum(['hybrid', 'keyword', 'vector']).default('hybrid'),
  rerank: z.boolean().optional(),
  explain: z.boolean().optional(),
});

type SearchRoutesDependencies = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  rerank: RerankSettings | undefined;
  log: Log;
};

/**
 * The two routes for search: with the collection in the path, or, more convenient by hand, in the
 * body.
 */
export function searchRoutes({
  vectorDb,
  embedder,
  rerank,
  log,
}: SearchRoutesDependencies): VaultRoute[] {
  const reranker = rerank && createReranker(rerank, { log });
  return ['/v1/collections/:collection/search', '/v1/search'].map((path) =>
    jsonRoute('POST', path, 'search', async ({ request, params }) => {
      const { data, error } = input.safeParse({ ...(await readSignedJson(request)), ...params });
      if (!data) throw new AppError('BAD_INPUT', formatIssues(error));
      return search(data, { vectorDb, embedder, reranker }, clientAbort(request).signal);
    }),
  );
}
