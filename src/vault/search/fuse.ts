import { hashingSpace } from '../embed/hashing.ts';
import type { VectorDbClient } from '../vector-db/client.ts';

type Found = Awaited<ReturnType<VectorDbClient['search']>>;
type Hit = Found['keyword'][number];
/**
 * Where a passage stood in a list, from 1, what the list gave it (BM25, or the cosine), and what
 * that gave to the sum of both.
 */
export type Place = { rank: number; score: number; share: number };
export type Candidate = Omit<Hit, 'score'> & {
  keyword: Place | null;
  vector: Place | null;
  fused: number;
};
/** With what a rerank model made of it, where one was asked. */
export type Ranked = Candidate & { rerank: number | null };

/**
 * Cormack, Clarke, Büttcher 2009: 60 keeps one list's first place from outvoting two good places.
 */
const rankOffset = 60;
/**
 * Beside BM25, which counts 1. The vectors of hashing know words only: on the tuning half of the
 * bench's questions 0.1 ordered best, and from 0.2 on they cost more than they gave. Those of a
 * model know what words mean and count as much as words do.
 */
const weightOfSpace = (embedding: string): number => (embedding === hashingSpace.name ? 0.1 : 1);

/**
 * One list of two by reciprocal rank. Cosines of different spaces say nothing about each other, so
 * each space is a list of its own. Ties go by document and ordinal, so that the same question
 * always has the same order.
 */
export function fuse(
  { keyword, vector }: Pick<Found, 'keyword' | 'vector'>,
  weightOf = weightOfSpace,
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  const take = (
    { score, ...passage }: Hit,
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
  for (const [index, hit] of keyword.entries()) take(hit, 'keyword', index + 1, 1);
  const counts = new Map<string, number>();
  for (const { embedding, ...hit } of vector) {
    const rank = (counts.get(embedding) ?? 0) + 1;
    counts.set(embedding, rank);
    take(hit, 'vector', rank, weightOf(embedding));
  }
  return [...candidates.values()].sort(
    (one, other) =>
      other.fused - one.fused ||
      compare(one.document, other.document) ||
      one.ordinal - other.ordinal,
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
