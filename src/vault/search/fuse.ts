import { hashingSpace, meaningShareOf } from '../embed/hashing.ts';
import type { VectorDbClient } from '../vector-db/client.ts';

type SearchHits = Awaited<ReturnType<VectorDbClient['search']>>;
type SearchHit = SearchHits['keyword'][number];
/**
 * The rank of a passage in one result list (from 1), its score there (BM25 or cosine), and its share
 * of the fused score.
 */
export type ListPosition = { rank: number; score: number; share: number };
export type SearchCandidate = Omit<SearchHit, 'score'> & {
  keyword: ListPosition | null;
  vector: ListPosition | null;
  /** How much of the query its words cover; null if that was not compared. */
  coverage: ListPosition | null;
  fused: number;
};
/** `rerank` is the score of the rerank model, or null if no model was asked. */
export type RankedCandidate = SearchCandidate & { rerank: number | null };

/**
 * The weights of the vector lists of a query; the keyword list has weight 1. Vectors of a model have
 * the same weight, and hashing vectors as far as they have the meaning of the query. Otherwise they
 * contain only words: they find words with typing errors, and change nothing else.
 */
export function weightsFor(query: string): (embedding: string) => number {
  const hashingWeight = Math.max(0.1, meaningShareOf(query));
  return (embedding) => (embedding === hashingSpace.name ? hashingWeight : 1);
}

/**
 * The share of the worst passage of a vector list. Scores of models differ in their range, such as
 * 0.7 to 0.9, so the scores of a list are spread from this to 1.
 */
const worstVectorShare = 0.15;

/**
 * Merges the keyword list and the vector lists by their scores, in relation to the best one of each
 * list: a passage that is far better than the next by keyword stays before it. Cosines of different
 * embedding spaces are not comparable, so each space counts as a separate list. Equal scores are
 * ordered by document and ordinal, so that the same query always gives the same order.
 */
export function fuse(
  { keyword, vector }: Pick<SearchHits, 'keyword' | 'vector'>,
  weightOf: (embedding: string) => number,
): SearchCandidate[] {
  const candidates = new Map<string, SearchCandidate>();
  const addHit = (
    { score, ...passage }: SearchHit,
    list: 'keyword' | 'vector',
    rank: number,
    share: number,
  ) => {
    const key = `${passage.document}\n${passage.ordinal}`;
    const candidate = candidates.get(key) ?? {
      ...passage,
      ...{ keyword: null, vector: null, coverage: null, fused: 0 },
    };
    candidate[list] = { rank, score, share };
    candidate.fused += share;
    candidates.set(key, candidate);
  };
  const bestByKeyword = keyword[0]?.score ?? 0;
  for (const [index, hit] of keyword.entries())
    addHit(hit, 'keyword', index + 1, bestByKeyword > 0 ? hit.score / bestByKeyword : 1);
  for (const [embedding, hits] of Map.groupBy(vector, (hit) => hit.embedding)) {
    const [best, worst] = [hits[0]?.score ?? 0, hits.at(-1)?.score ?? 0];
    for (const [index, { embedding: _, ...hit }] of hits.entries()) {
      const position = best > worst ? (hit.score - worst) / (best - worst) : 1;
      const share = weightOf(embedding) * (worstVectorShare + (1 - worstVectorShare) * position);
      addHit(hit, 'vector', index + 1, share);
    }
  }
  return [...candidates.values()].sort(compareCandidates);
}

/** The best first. */
export const compareCandidates = (a: SearchCandidate, b: SearchCandidate): number =>
  b.fused - a.fused || compare(a.document, b.document) || a.ordinal - b.ordinal;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
