import { hashingSpace } from '../embed/hashing.ts';
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
  fused: number;
};
/** `rerank` is the score of the rerank model, or null if no model was asked. */
export type RankedCandidate = SearchCandidate & { rerank: number | null };

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009). With 60, two good ranks
 * count more than one first rank.
 */
const rankOffset = 60;
/**
 * The weight of a vector list; the keyword list has weight 1. Hashing vectors contain only words, not
 * their meaning: on the tuning half of the benchmark questions 0.1 gave the best order, and weights
 * from 0.2 made it worse. Vectors of a model have the same weight as keywords.
 */
const weightOfSpace = (embedding: string): number => (embedding === hashingSpace.name ? 0.1 : 1);

/**
 * Merges the keyword list and the vector lists by reciprocal rank. Cosines of different embedding
 * spaces are not comparable, so each space counts as a separate list. Equal scores are ordered by
 * document and ordinal, so that the same query always gives the same order.
 */
export function fuse(
  { keyword, vector }: Pick<SearchHits, 'keyword' | 'vector'>,
  weightOf = weightOfSpace,
): SearchCandidate[] {
  const candidates = new Map<string, SearchCandidate>();
  const addHit = (
    { score, ...passage }: SearchHit,
    list: 'keyword' | 'vector',
    rank: number,
    weight: number,
  ) => {
    const key = `${passage.document}\n${passage.ordinal}`;
    const candidate = candidates.get(key) ?? { ...passage, keyword: null, vector: null, fused: 0 };
    const share = weight / (rankOffset + rank);
    candidate[list] = { rank, score, share };
    candidate.fused += share;
    candidates.set(key, candidate);
  };
  for (const [index, hit] of keyword.entries()) addHit(hit, 'keyword', index + 1, 1);
  const counts = new Map<string, number>();
  for (const { embedding, ...hit } of vector) {
    const rank = (counts.get(embedding) ?? 0) + 1;
    counts.set(embedding, rank);
    addHit(hit, 'vector', rank, weightOf(embedding));
  }
  return [...candidates.values()].sort(
    (a, b) => b.fused - a.fused || compare(a.document, b.document) || a.ordinal - b.ordinal,
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
