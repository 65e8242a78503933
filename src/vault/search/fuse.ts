import type { Passage } from '../passage.ts';

/** A passage by its place: the vector database can fuse the lists without the texts. */
type PassageId = { document: string; ordinal: number };
type ScoredLists<Hit extends PassageId> = {
  keyword: (Hit & { score: number })[];
  vector: (Hit & { score: number; embedding: string })[];
};
/**
 * The rank of a passage in one result list (from 1), its score there (BM25 or cosine), and its share
 * of the fused score.
 */
export type ListPosition = { rank: number; score: number; share: number };
type Fused<Hit> = Hit & {
  keyword: ListPosition | null;
  vector: ListPosition | null;
  /** How much of the query its words cover; null if that was not compared. */
  coverage: ListPosition | null;
  fused: number;
};
export type FusedPassage = Fused<PassageId>;
export type SearchCandidate = Fused<Passage & { document: string }>;
/** `rerank` is the score of the rerank model, or null if no model was asked. */
export type RankedCandidate = SearchCandidate & { rerank: number | null };

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
export function fuse<Hit extends PassageId>(
  { keyword, vector }: ScoredLists<Hit>,
  weightOf: (embedding: string) => number,
): Fused<Hit>[] {
  const candidates = new Map<string, Fused<Hit>>();
  const addHit = (hit: Hit, list: 'keyword' | 'vector', { rank, score, share }: ListPosition) => {
    const key = `${hit.document}\n${hit.ordinal}`;
    const candidate = candidates.get(key) ?? {
      ...hit,
      ...{ keyword: null, vector: null, coverage: null, fused: 0 },
    };
    candidate[list] = { rank, score, share };
    candidate.fused += share;
    candidates.set(key, candidate);
  };
  const bestByKeyword = keyword[0]?.score ?? 0;
  for (const [index, hit] of keyword.entries())
    addHit(hit, 'keyword', {
      ...{ rank: index + 1, score: hit.score },
      share: bestByKeyword > 0 ? hit.score / bestByKeyword : 1,
    });
  for (const [embedding, hits] of Map.groupBy(vector, (hit) => hit.embedding)) {
    const [best, worst] = [hits[0]?.score ?? 0, hits.at(-1)?.score ?? 0];
    for (const [index, hit] of hits.entries()) {
      const position = best > worst ? (hit.score - worst) / (best - worst) : 1;
      const share = weightOf(embedding) * (worstVectorShare + (1 - worstVectorShare) * position);
      addHit(hit, 'vector', { rank: index + 1, score: hit.score, share });
    }
  }
  return [...candidates.values()].sort(compareCandidates);
}

/** The best first. */
export const compareCandidates = (a: FusedPassage, b: FusedPassage): number =>
  b.fused - a.fused || compare(a.document, b.document) || a.ordinal - b.ordinal;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
