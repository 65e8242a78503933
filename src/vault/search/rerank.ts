import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { callProvider, providerFailed } from '../embed/call-provider.ts';

export type RerankSettings = {
  url: string;
  model?: string | undefined;
  apiKey?: string | undefined;
};
export type Reranker = (query: string, texts: string[], signal?: AbortSignal) => Promise<number[]>;

const timeoutMs = 5_000;
const answerShape = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/**
 * A client of a rerank model, which scores each passage together with the query. It uses the API of
 * Cohere, Jina and compatible services.
 */
export function createReranker(
  { url, model, apiKey }: RerankSettings,
  { log }: { log: Log },
): Reranker {
  const address = url.endsWith('/rerank') ? url : `${url.replace(/\/+$/, '')}/rerank`;
  return async (query, texts, signal) => {
    const body = {
      ...(model && { model }),
      query,
      documents: texts,
      top_n: texts.length,
      return_documents: false,
    };
    const answer = answerShape.safeParse(
      await callProvider(
        { url: address, apiKey, body, bytesMax: 1_048_576, attemptsMax: 1, timeoutMs, signal },
        { log },
      ),
    );
    const scores = new Map(
      answer.data?.results.map(({ index, relevance_score }) => [index, relevance_score]),
    );
    return texts.map((_, index) => {
      const score = scores.get(index);
      if (score === undefined) throw providerFailed();
      return score;
    });
  };
}
