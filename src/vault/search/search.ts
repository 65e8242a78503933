import { AppError } from '../../platform/errors.ts';
import { hashingEmbedder } from '../embed/embedder.ts';
import type { Embedder } from '../embed/embedding.ts';
import type { Passage } from '../passage.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { withCoverage } from './coverage.ts';
import { createExplanation, type SearchExplanation } from './explain.ts';
import { type FusedPassage, fuse, type RankedCandidate, type SearchCandidate } from './fuse.ts';
import { weightsFor } from './list-weights.ts';
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
 * The texts that a search of few passages gets at first. Coverage compares thirty passages, and near
 * duplicates are rarely more than the rest.
 */
const textsFirst = { passages: 60, resultsMax: 20 };

type DistinctPassages = {
  ranked: RankedCandidate[];
  duplicatesRemoved: number;
  explanation?: object;
};

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
  const isRerankRequested = input.rerank ?? reranker !== undefined;
  const weightOf = weightsFor(query);
  const vectors = mode === 'keyword' ? undefined : await vectorsOf(query);
  const searched = {
    ...(mode === 'vector' ? {} : { text: query }),
    ...(vectors && { vectors }),
    ...(documents && { documents }),
    limit: candidatesMax,
  };
  const needsAllTexts =
    isRerankRequested || input.explain === true || offset + limit > textsFirst.resultsMax;
  const { ranked, duplicatesRemoved, explanation } =
    (needsAllTexts ? undefined : await searchBest()) ?? (await searchAll());
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
    ...(explanation && { explanation }),
  };

  /** Undefined if so many passages are nearly the same that more texts are needed. */
  async function searchBest(): Promise<DistinctPassages | undefined> {
    const weights = Object.fromEntries(
      Object.keys(vectors ?? {}).map((embedding) => [embedding, weightOf(embedding)]),
    );
    const best = { passages: textsFirst.passages, weights };
    const hits = await vectorDb.searchBest(collection, { ...searched, best }, signal);
    const fused = fuse(hits, weightOf);
    const candidates = withTexts(fused, hits.passages);
    const results = await rankDistinct(candidates);
    const isComplete = candidates.length === fused.length;
    return isComplete || results.ranked.length >= offset + limit ? results : undefined;
  }

  async function searchAll(): Promise<DistinctPassages> {
    const hits = await vectorDb.search(collection, searched, signal);
    return rankDistinct(
      withTexts(fuse(hits, weightOf), [...hits.keyword, ...hits.vector]),
      input.explain ? createExplanation(hits) : undefined,
    );
  }

  async function rankDistinct(
    fused: SearchCandidate[],
    explanation?: SearchExplanation,
  ): Promise<DistinctPassages> {
    let duplicatesRemoved = 0;
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
      ...{ ranked, duplicatesRemoved },
      ...(explanation && { explanation: formatExplanation(explanation, [...candidates], ranked) }),
    };
  }

  function formatExplanation(
    { summarize }: SearchExplanation,
    distinct: SearchCandidate[],
    ranked: RankedCandidate[],
  ) {
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

/** The candidates up to the first one whose text is not there. */
function withTexts(
  fused: readonly FusedPassage[],
  passages: readonly (Passage & { document: string })[],
): SearchCandidate[] {
  const passageOf = new Map(passages.map((passage) => [keyOf(passage), passage]));
  const candidates: SearchCandidate[] = [];
  for (const candidate of fused) {
    const passage = passageOf.get(keyOf(candidate));
    if (!passage) break;
    const { document, ordinal, text, page, headings, start, end } = passage;
    const { keyword, vector, coverage, fused: score } = candidate;
    candidates.push({
      ...{ document, ordinal, text, page, headings, start, end },
      ...{ keyword, vector, coverage, fused: score },
    });
  }
  return candidates;
}

const keyOf = ({ document, ordinal }: { document: string; ordinal: number }): string =>
  `${document}\n${ordinal}`;

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
