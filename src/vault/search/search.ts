import { AppError } from '../../platform/errors.ts';
import { type Embedder, hashingEmbedder } from '../embed/embedder.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { createExplanation, type Explanation } from './explain.ts';
import { type Candidate, fuse, type Ranked } from './fuse.ts';
import { withoutNearDuplicates } from './near-duplicates.ts';
import type { Reranker } from './rerank.ts';

export type Question = {
  collection: string;
  query: string;
  limit: number;
  offset: number;
  documents?: string[] | undefined;
  mode: 'hybrid' | 'keyword' | 'vector';
  rerank?: boolean | undefined;
  /** Also tells what was left out, and why. */
  explain?: boolean | undefined;
};

type SearchParts = { vectorDb: VectorDbClient; embedder: Embedder; reranker: Reranker | undefined };

/**
 * From each list, whatever page is asked for: were it more for later pages, passages would change
 * places between pages.
 */
const candidatesMax = 100;
const rerankedMax = 50;

/**
 * The best passages for a question, each with what every stage gave it. What had to be left out is
 * said in `notes`.
 */
export async function search(
  question: Question,
  { vectorDb, embedder, reranker }: SearchParts,
  signal?: AbortSignal,
) {
  const startedAt = performance.now();
  const { collection, query, limit, offset, documents, mode } = question;
  const notes: string[] = [];
  const found = await vectorDb.search(
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
  const explanation = question.explain ? createExplanation(found) : undefined;
  const distinct = withoutNearDuplicates(fuse(found), (candidate, better) => {
    duplicatesRemoved++;
    explanation?.drop(candidate, better);
  });
  // What nobody is shown is only looked at for who asks about it.
  const candidates = explanation ? [...distinct] : distinct;
  const ranked = await rank(candidates);
  return {
    collection,
    query,
    mode,
    passages: ranked.slice(offset, offset + limit).map(told),
    duplicatesRemoved,
    notes,
    tookMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(explanation && { explanation: explained(explanation, [...candidates]) }),
  };

  function explained({ tell }: Explanation, distinct: Candidate[]) {
    const unranked = distinct
      .slice(ranked.length)
      .map((candidate) => ({ ...candidate, rerank: null }));
    const { leftOut, ...counts } = tell({
      distinct: distinct.length,
      below: [...ranked.slice(offset + limit), ...unranked],
    });
    return {
      ...counts,
      leftOut: leftOut.map(({ passage, ...why }) => ({ ...told(passage), ...why })),
    };
  }

  /**
   * Documents that are not yet moved to the space of today may still lie in that of hashing, which
   * costs nothing to ask.
   */
  async function vectorsOf(text: string): Promise<Record<string, Float32Array>> {
    const vectors: Record<string, Float32Array> = {};
    for (const each of new Set([hashingEmbedder, embedder])) {
      try {
        const [vector] = await each.embed([text], 'query', signal);
        if (vector) vectors[each.name] = vector;
      } catch (error) {
        if (mode === 'vector' || !(error instanceof AppError)) throw error;
        notes.push('The embedding provider failed: passages were found by keyword');
      }
    }
    return vectors;
  }

  async function rank(fused: Iterable<Candidate>): Promise<Ranked[]> {
    const isWanted = question.rerank ?? reranker !== undefined;
    const ordered = take(fused, isWanted ? Math.max(offset + limit, rerankedMax) : offset + limit);
    const unranked = ordered.map((candidate): Ranked => ({ ...candidate, rerank: null }));
    if (!isWanted || unranked.length === 0) return unranked;
    if (!reranker) {
      notes.push('No rerank model is set: passages are in the order of both lists together');
      return unranked;
    }
    const [head, tail] = [unranked.slice(0, rerankedMax), unranked.slice(rerankedMax)];
    try {
      const texts = head.map(({ text }) => text);
      const scores = await reranker(query, texts, signal);
      const scored = head.map((candidate, index) => ({ ...candidate, rerank: scores[index] ?? 0 }));
      return [...scored.sort((one, other) => other.rerank - one.rerank), ...tail];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push('The rerank model failed: passages are in the order of both lists together');
      return unranked;
    }
  }
}

const told = ({ keyword, vector, fused, rerank, document, ...passage }: Ranked) => ({
  document,
  ...passage,
  score: rerank ?? fused,
  scores: { keyword, vector, fused, rerank },
});

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
