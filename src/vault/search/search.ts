import { AppError } from '../../platform/errors.ts';
import { hashingEmbedder } from '../embed/embedder.ts';
import type { Embedder } from '../embed/embedding.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { withCoverage } from './coverage.ts';
import { createExplanation, type SearchExplanation } from './explain.ts';
import { fuse, type RankedCandidate, type SearchCandidate, weightsFor } from './fuse.ts';
import { withoutNearDuplicates } from './near-duplicates.ts';
import type { Reranker } from './rerank.ts';

export type SearchInput = {
  collection: string;
  query: string;
  limit: number;
  offset: number;
  documents?: string[] | undefined;
  mode: 'hybrid' | 'keyword' | 'vector';
  rerank?: boolean | undefined;
  /** Adds the omitted passages and the reasons to the answer. */
  explain?: boolean | undefined;
};

type SearchDependencies = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  reranker: Reranker | undefined;
};

/**
 * The length of each result list, for every page of results. If later pages used longer lists,
 * passages would change places between pages.
 */
const candidatesMax = 100;
const rerankedMax = 50;

/**
 * Searches a collection and returns the best passages with their scores from every stage. `notes`
 * lists stages that failed or were not available.
 */
export async function search(
  input: SearchInput,
  { vectorDb, embedder, reranker }: SearchDependencies,
  signal?: AbortSignal,
) {
  const startedAt = performance.now();
  const { collection, query, limit, offset, documents, mode } = input;
  const notes: string[] = [];
  let embeddingTokens = 0;
  const hits = await vectorDb.search(
    collection,
    {
      ...(mode === 'vector' ? {} : { text: query }),
      ...(mode === 'keyword' ? {} : { vectors: await vectorsOf(query) }),
      ...(documents && { documents }),
      limit: candidatesMax,
    },
    signal,
  );
  let duplicatesRemoved = 0;
  const explanation = input.explain ? createExplanation(hits) : undefined;
  const fused = fuse(hits, weightsFor(query));
  // Vectors of a model have the meaning of whole sentences, which words one by one would disturb.
  const bestFirst =
    mode === 'hybrid' && embedder === hashingEmbedder ? withCoverage(query, fused) : fused;
  const distinct = withoutNearDuplicates(bestFirst, (candidate, better) => {
    duplicatesRemoved++;
    explanation?.recordDuplicate(candidate, better);
  });
  // Without an explanation, candidates after the requested page are never computed.
  const candidates = explanation ? [...distinct] : distinct;
  const ranked = await rank(candidates);
  return {
    collection,
    query,
    mode,
    passages: ranked.slice(offset, offset + limit).map(toSearchResult),
    duplicatesRemoved,
    notes,
    ...(embedder.paidModel !== undefined && {
      embedding: { model: embedder.paidModel, tokens: embeddingTokens },
    }),
    tookMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(explanation && { explanation: formatExplanation(explanation, [...candidates]) }),
  };

  function formatExplanation({ summarize }: SearchExplanation, distinct: SearchCandidate[]) {
    const unranked = distinct
      .slice(ranked.length)
      .map((candidate) => ({ ...candidate, rerank: null }));
    const { leftOut, ...counts } = summarize({
      distinct: distinct.length,
      passagesBelowLimit: [...ranked.slice(offset + limit), ...unranked],
    });
    return {
      ...counts,
      leftOut: leftOut.map(({ passage, ...why }) => ({ ...toSearchResult(passage), ...why })),
    };
  }

  /**
   * Also computes the vector of the hashing embedder, because documents that are not re-embedded yet
   * may have hashing vectors, and computing this vector is cheap.
   */
  async function vectorsOf(text: string): Promise<Record<string, Float32Array>> {
    const vectors: Record<string, Float32Array> = {};
    for (const spaceEmbedder of new Set([hashingEmbedder, embedder])) {
      try {
        const [vector] = await spaceEmbedder.embed([text], 'query', signal, (tokens) => {
          embeddingTokens += tokens;
        });
        if (vector) vectors[spaceEmbedder.name] = vector;
      } catch (error) {
        if (mode === 'vector' || !(error instanceof AppError)) throw error;
        notes.push('The embedding provider failed: passages were found by keyword');
      }
    }
    return vectors;
  }

  async function rank(fusedCandidates: Iterable<SearchCandidate>): Promise<RankedCandidate[]> {
    const isRerankRequested = input.rerank ?? reranker !== undefined;
    const ordered = takeFirst(
      fusedCandidates,
      isRerankRequested ? Math.max(offset + limit, rerankedMax) : offset + limit,
    );
    const unranked = ordered.map((candidate): RankedCandidate => ({ ...candidate, rerank: null }));
    if (!isRerankRequested || unranked.length === 0) return unranked;
    if (!reranker) {
      notes.push('No rerank model is set: passages are in the order of both lists together');
      return unranked;
    }
    const [head, tail] = [unranked.slice(0, rerankedMax), unranked.slice(rerankedMax)];
    try {
      const texts = head.map(({ text }) => text);
      const scores = await reranker(query, texts, signal);
      const scored = head.map((candidate, index) => ({ ...candidate, rerank: scores[index] ?? 0 }));
      return [...scored.sort((a, b) => b.rerank - a.rerank), ...tail];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push('The rerank model failed: passages are in the order of both lists together');
      return unranked;
    }
  }
}

const toSearchResult = ({
  keyword,
  vector,
  coverage,
  fused,
  rerank,
  document,
  ...passage
}: RankedCandidate) => ({
  document,
  ...passage,
  score: rerank ?? fused,
  scores: { keyword, vector, coverage, fused, rerank },
});

function takeFirst<T>(items: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    first.push(item);
    if (first.length === count) break;
  }
  return first;
}
